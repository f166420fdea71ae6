import type { Glyphs } from '#core/insight/glyphs.js';
import type { DrawingOptions, PictureNode, Segment, Tone } from '#core/insight/picture.js';
import { idIsPlain, loopMark, pictureMark } from '#core/insight/picture.js';
import { cellsOf, cutTo, wrap } from '#kernel/cells.js';
import { inert } from '#kernel/text.js';
import type { Branch } from './forest.js';

/** Minimum title width; a shorter title is omitted. */
const TITLE_LEAST = 8;
const NOTE_LEAST = 16;

/** References of a task that are not drawn as lines. */
export interface EdgeNote {
  /** Predecessors without a line. */
  readonly after: readonly string[];
  /** Cycle members with a back edge to it. */
  readonly returning: readonly string[];
  readonly itself: boolean;
}

/** A task as one line, with further lines only for overflow. `cells`: maximum line width. */
export function linesOf(
  branch: Branch,
  notes: EdgeNote,
  cells: number,
  glyphs: Glyphs,
  options: DrawingOptions,
): Segment[][] {
  const { node } = branch;
  const mark = pictureMark(node, options);
  const lead = leadOf(branch, glyphs);
  const stem = stemOf(branch, glyphs) + ' '.repeat(cellsOf(mark.text) + 1);
  const room = Math.max(1, cells - cellsOf(stem));
  const strong = node.critical === true;
  let line: { segments: Segment[]; used: number } = {
    segments: [{ text: lead, tone: 'line' }, mark, { text: ' ' }],
    used: 0,
  };
  const lines = [line];
  const add = (text: string, tone: Tone | undefined, gap: number) => {
    const size = cellsOf(text);
    if (line.used + (line.used === 0 ? 0 : gap) + size > room) {
      line = { segments: [{ text: stem, tone: 'line' }], used: 0 };
      lines.push(line);
    }
    if (line.used > 0) line.segments.push({ text: ' '.repeat(gap) });
    line.segments.push(tone === undefined ? { text } : { text, tone });
    line.used += (line.used === 0 ? 0 : gap) + size;
  };
  for (const part of wrap(inert(node.id), room)) add(part, strong ? 'critical' : node.state, 0);
  if (strong) add(glyphs.star, 'critical', 1);
  const words = referencesOf(node, notes, glyphs);
  const needed = words.reduce((sum, { text }) => sum + 2 + cellsOf(text), 0);
  const title = titleOf(node, room - line.used - 2, needed, glyphs);
  if (title !== undefined) add(title, 'title', 2);
  for (const { text, tone } of words) {
    const parts = wrap(text, room);
    for (const [index, part] of parts.entries()) add(part, tone, index === 0 ? 2 : 1);
  }
  if (node.note !== undefined) {
    const cellsLeft = room - line.used - 2;
    add(cutTo(inert(node.note), cellsLeft < NOTE_LEAST ? room : cellsLeft, glyphs.ellipsis), 'note', 2);
  }
  return lines.map((line) => line.segments);
}

/** Title truncated to leave room for the references; at full width if these need their own lines anyway. */
function titleOf(node: PictureNode, room: number, needed: number, glyphs: Glyphs): string | undefined {
  const title = inert(node.title).trim();
  if (title === '' || idIsPlain(node)) return undefined;
  const cells = room - needed >= TITLE_LEAST ? room - needed : room;
  return cells < TITLE_LEAST ? undefined : cutTo(title, cells, glyphs.ellipsis);
}

function referencesOf(node: PictureNode, notes: EdgeNote, glyphs: Glyphs): { text: string; tone: Tone }[] {
  const words: { text: string; tone: Tone }[] = [];
  const loop = loopMark(node, glyphs);
  if (loop !== undefined) words.push({ text: loop, tone: 'return' });
  if (notes.itself) words.push({ text: `${glyphs.loop} itself`, tone: 'return' });
  if (notes.returning.length > 0) words.push({ text: `${glyphs.loop} ${listed(notes.returning)}`, tone: 'return' });
  if (notes.after.length > 0) words.push({ text: `${glyphs.from} ${listed(notes.after)}`, tone: 'note' });
  for (const id of node.missing ?? []) words.push({ text: `${glyphs.from} ${inert(id)} (missing)`, tone: 'note' });
  return words;
}

const listed = (ids: readonly string[]): string => ids.map((id) => inert(id)).join(', ');

function leadOf({ more }: Branch, glyphs: Glyphs): string {
  if (more.length === 0) return '';
  const above = more.slice(0, -1).map((later) => (later ? glyphs.stem : '  '));
  return above.join('') + (more.at(-1) ? glyphs.branch : glyphs.lastBranch);
}

/** Left border of continuation lines of the same task. */
function stemOf({ more }: Branch, glyphs: Glyphs): string {
  return more.map((later) => (later ? glyphs.stem : '  ')).join('');
}
