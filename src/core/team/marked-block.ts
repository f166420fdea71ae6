import { TroupeError } from '#kernel/errors.js';

/** A part of a file that is ours: from one mark to the other. What stands beside it belongs to the people of the project. */
export interface Marks {
  readonly file: string;
  readonly begin: string;
  readonly end: string;
}

/** Where the part stands; `marker_unpaired` when one of its marks lacks the other, or there are several. */
export function findBlock(text: string, { file, begin, end }: Marks): { from: number; to: number } | undefined {
  const [begins, ends] = [placesOf(text, begin), placesOf(text, end)];
  const [[from], [last]] = [begins, ends];
  if (from === undefined && last === undefined) return undefined;
  if (begins.length !== 1 || ends.length !== 1 || from === undefined || last === undefined || last < from) {
    throw new TroupeError('marker_unpaired', {
      what: `${file} has ${begins.length} times “${begin}” and ${ends.length} times “${end}”: nothing was changed.`,
      details: { file },
    });
  }
  return { from, to: last + end.length };
}

function placesOf(text: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) places.push(at);
  return places;
}
