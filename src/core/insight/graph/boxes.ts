import type { Glyphs } from '#core/insight/glyphs.js';
import type { DrawingOptions, Line, PictureNode, Tone } from '#core/insight/picture.js';
import { idIsPlain, loopMark, nodeName, pictureMark } from '#core/insight/picture.js';
import { cellsOf, cutTo, wrap } from '#kernel/cells.js';
import { inert } from '#kernel/text.js';

/** Borders and one space on each side. */
const FRAME = 4;
/** Below this width a title takes three lines instead of two. */
const NARROW = 16;

export interface Box {
  readonly node: PictureNode;
  readonly lines: readonly Line[];
  /** Inner width in cells, without borders and padding. */
  readonly inner: number;
  /** Width and height including the borders. */
  readonly breadth: number;
  readonly height: number;
  /** The task depends on itself: a small loop is drawn at its right side. */
  readonly selfLoop: boolean;
}

/** An edge that is named instead of drawn. */
export interface EdgeLabel {
  readonly from: string;
  readonly back: boolean;
}

export interface BoxFacts {
  readonly node: PictureNode;
  readonly selfLoop: boolean;
  readonly named: readonly EdgeLabel[];
  /** Minimum width for the lines that end at the box. */
  readonly breadthLeast: number;
}

/** Builds the box of a task: its mark and title in two or three lines at most, then its labels. */
export function boxOf(facts: BoxFacts, titleCells: number, glyphs: Glyphs, options: DrawingOptions): Box {
  const { node, named } = facts;
  const mark = pictureMark(node, options);
  const indent = cellsOf(mark.text) + 1;
  const lines: { text: string; tone: Tone | undefined; first?: boolean }[] = titleLines(node, titleCells, glyphs).map(
    (text, index) => ({ text, tone: node.critical ? 'critical' : 'title', first: index === 0 }),
  );
  const loop = loopMark(node, glyphs);
  if (loop !== undefined) lines.push({ text: loop, tone: 'return' });
  const say = (text: string, tone: Tone) => {
    for (const part of wrap(text, titleCells)) lines.push({ text: part, tone });
  };
  if (!idIsPlain(node)) say(inert(node.id), 'note');
  for (const id of node.missing ?? []) say(`${glyphs.from} ${inert(id)} (missing)`, 'note');
  for (const { from, back } of named)
    say(`${back ? glyphs.loop : glyphs.from} ${inert(from)}`, back ? 'return' : 'note');
  if (node.note !== undefined) lines.push({ text: cutTo(inert(node.note), titleCells, glyphs.ellipsis), tone: 'note' });
  const inner = Math.max(facts.breadthLeast - FRAME, ...lines.map((line) => indent + cellsOf(line.text)));
  return {
    node,
    lines: lines.map(({ text, tone, first }) => [
      first ? mark : { text: ' '.repeat(indent - 1) },
      { text: ` ${text}`, ...(tone === undefined ? {} : { tone }) },
      { text: ' '.repeat(inner - indent - cellsOf(text)) },
    ]),
    inner,
    breadth: inner + FRAME,
    height: lines.length + 2,
    selfLoop: facts.selfLoop,
  };
}

/** Cells of a box besides its title text. */
export function frameOf(node: PictureNode, options: DrawingOptions): number {
  return FRAME + cellsOf(pictureMark(node, options).text) + 1;
}

function titleLines(node: PictureNode, cells: number, glyphs: Glyphs): string[] {
  const lines = wrap(nodeName(node), cells);
  const most = cells < NARROW ? 3 : 2;
  if (lines.length <= most) return lines;
  const rest = lines.slice(most - 1).join(' ');
  return [...lines.slice(0, most - 1), cutTo(rest, cells, glyphs.ellipsis)];
}
