import { PANEL_LIMITS } from '#kernel/limits/panel.js';
import { headingOf, markdownLines } from '#kernel/markdown-lines.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert } from '#kernel/text.js';

/** Allowed verdicts of a seat. */
export const NOTE_VERDICTS = ['SIGN-OFF', 'CHANGES REQUESTED', 'IDEAS'] as const;
export type NoteVerdict = (typeof NOTE_VERDICTS)[number];

export const WEIGHTS = ['high', 'med', 'low'] as const;
export type Weight = (typeof WEIGHTS)[number];

/** One point of a note, with its proposed move. */
export interface Point {
  readonly weight: Weight;
  readonly note: string;
  readonly move: string;
}

/** Note of a seat in one round. */
export interface PanelNote {
  readonly role: string;
  readonly verdict: NoteVerdict;
  /** Preferred option, if named: `Option: keep the queue`. */
  readonly option: string | undefined;
  readonly points: readonly Point[];
  /** Lesson for the next panel, if given: `Lesson: …`. */
  readonly lesson: string | undefined;
  /** Number of points without a move or beyond the limit; they are not counted. */
  readonly uncounted: number;
}

/** A note, or the reason why the text is invalid. */
export type NoteReading = { readonly note: PanelNote } | { readonly problem: string };

const DASHES = ['—', '–', '--', ' -'];
const POINT = /^[ \t]{0,3}[-*][ \t]+\[([^\]]{1,12})\][ \t]*(.*)$/;
const ARROW = /→|->/;
const OPTION = /^[ \t]{0,3}(?:[-*][ \t]+)?(?:\*\*)?option(?:\*\*)?[ \t]*:(?:\*\*)?[ \t]*(\S.*)$/i;
const LESSON = /^[ \t]{0,3}(?:[-*][ \t]+)?(?:\*\*)?lesson(?:\*\*)?[ \t]*:(?:\*\*)?[ \t]*(\S.*)$/i;

/**
 * Parses a note. Untrusted text: one heading gives role and verdict, points are recognised by their form, and all other
 * prose is ignored.
 */
export function readNote(text: string): NoteReading {
  let head: { readonly role: string; readonly verdict: NoteVerdict } | undefined;
  let option: string | undefined;
  let lesson: string | undefined;
  let uncounted = 0;
  const points: Point[] = [];
  for (const line of markdownLines(text)) {
    const title = headingOf(line);
    if (title?.level === 3) {
      const heading = verdictIn(title.title);
      if (heading === undefined) return { problem: `its heading names none of ${NOTE_VERDICTS.join(', ')}` };
      if (head !== undefined) return { problem: 'it gives more than one verdict' };
      head = heading;
      continue;
    }
    if (head === undefined || line.kind !== 'text') continue;
    option ??= labelled(OPTION, line.text);
    lesson ??= labelled(LESSON, line.text);
    const point = pointOf(line.text);
    if (point === undefined) continue;
    if (point === 'no-move' || points.length === PANEL_LIMITS.points) uncounted++;
    else points.push(point);
  }
  if (head === undefined) return { problem: 'it has no heading `### Role — VERDICT`' };
  return { note: { ...head, option, lesson, points, uncounted } };
}

/** Parses `### Role — VERDICT`, from the end, since the name of a role may contain dashes. */
function verdictIn(title: string): Pick<PanelNote, 'role' | 'verdict'> | undefined {
  const body = title.replace(/[ \t]+/g, ' ');
  const verdict = NOTE_VERDICTS.find((one) => body.slice(-one.length).toUpperCase() === one);
  if (verdict === undefined) return undefined;
  const before = body.slice(0, -verdict.length).trimEnd();
  const dash = DASHES.find((sign) => before.endsWith(sign));
  const role = dash === undefined ? '' : before.slice(0, -dash.length).trim();
  return role === '' ? undefined : { role: shown(role, PANEL_LIMITS.roleCharacters), verdict };
}

function pointOf(line: string): Point | 'no-move' | undefined {
  const [, word = '', rest = ''] = POINT.exec(line) ?? [];
  const weight = WEIGHTS.find((one) => one === word.trim().toLowerCase());
  if (weight === undefined) return undefined;
  const arrow = ARROW.exec(rest);
  const note = rest.slice(0, arrow?.index).trim();
  const move = arrow === null ? '' : rest.slice(arrow.index + arrow[0].length).trim();
  if (note === '' || move === '') return 'no-move';
  return { weight, note: shown(note, PANEL_LIMITS.pointCharacters), move: shown(move, PANEL_LIMITS.pointCharacters) };
}

function labelled(label: RegExp, line: string): string | undefined {
  const text = label.exec(line)?.[1];
  return text === undefined ? undefined : shown(text, PANEL_LIMITS.pointCharacters);
}

/** Untrusted text for storage and display: one line, without secrets or hidden characters. */
function shown(text: string, most: number): string {
  return cut(inert(redact(text)).trim(), most);
}
