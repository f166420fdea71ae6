import { inert, plural } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { type LeftAlone, printLeftAlone } from './memory-words.js';

interface Imported {
  readonly imported: readonly { readonly file: string; readonly number: number; readonly filed: string }[];
  readonly skipped: readonly LeftAlone[];
}

export const render: Renderer<Imported> = ({ imported, skipped }, screen) => {
  const { colour } = screen;
  for (const { file, number, filed } of imported)
    screen.line(`${colour.green(filed.padEnd(8))} ${inert(file)} as entry ${number}`);
  printLeftAlone(skipped, screen);
  if (imported.length > 0)
    screen.aside(
      `${plural(imported.length, 'file')} taken in. See what waits: ${colour.cyan('troupe decision inbox')}`,
    );
  else screen.aside(skipped.length > 0 ? 'Nothing was taken in.' : 'Nothing new lies in .squad/decisions/inbox.');
};
