import { type Arc, arcsOf, type Forest, forestOf } from '#core/insight/tree/forest.js';
import { type EdgeNote, linesOf } from '#core/insight/tree/lines.js';
import { cellsOf } from '#kernel/cells.js';
import { numberAt, numberOf } from '#kernel/numbers.js';
import { Canvas } from './canvas.js';
import { addTo } from './gathering.js';
import { type Glyphs, glyphsFor } from './glyphs.js';
import type { DrawingOptions, Line, Picture, PictureEdge, Segment } from './picture.js';

const WIDTH_LEAST = 24;
/** Maximum parts of a line for branches and for arcs. */
const BRANCHES_PART = 0.4;
const ARCS_PART = 0.25;
const INDENT = 2;
/** A longer arc is hard to follow: the task is named instead. */
const ARC_LINES = 40;
const ATTEMPTS = 4;

/**
 * Draws one line per task, below the last of its predecessors; other edges are arcs at the right side, or named in
 * text.
 */
export function drawTree(picture: Picture, options: DrawingOptions): readonly Line[] {
  const width = Math.max(WIDTH_LEAST, options.width);
  const glyphs = glyphsFor(options.unicode);
  const forest = forestOf(picture, Math.floor((width * BRANCHES_PART) / INDENT));
  const lineOf = new Map(forest.branches.map(({ node }, line) => [node.id, line]));
  let most = ARC_LINES;
  for (let attempt = 1; ; attempt++) {
    const { arcs, named } = arcsOf(forest.extra, lineOf, attempt < ATTEMPTS ? most : -1);
    const lines = withArcs(forest, arcs, named, width, glyphs, options);
    if (lines) return lines;
    most = most >> 2;
  }
}

/** The tree with these arcs; undefined if they do not fit. */
function withArcs(
  forest: Forest,
  arcs: readonly Arc[],
  named: readonly PictureEdge[],
  width: number,
  glyphs: Glyphs,
  options: DrawingOptions,
): readonly Line[] | undefined {
  const cells = arcs.length === 0 ? width : width - Math.min(Math.floor(width * ARCS_PART), 2 * arcs.length + 2);
  const noteOf = edgeNotes(forest.extra, named);
  const rows: Segment[][] = [];
  const rowOf = new Map<string, number>();
  for (const branch of forest.branches) {
    rowOf.set(branch.node.id, rows.length);
    rows.push(...linesOf(branch, noteOf(branch.node.id), cells, glyphs, options));
  }
  const ends = rows.map((row) => row.reduce((sum, { text }) => sum + cellsOf(text), 0));
  const lanes = lanesOf(arcs, rowOf, ends);
  if (lanes.some((lane) => lane.column >= width)) return undefined;
  const canvas = new Canvas(glyphs);
  for (const [y, row] of rows.entries()) canvas.write(0, y, row);
  lanes.forEach(({ arc, column, from, to }, net) => {
    const tone = arc.back ? 'return' : 'line';
    const begin = (id: string, text: string) => {
      const y = numberOf(rowOf, id);
      canvas.write(numberAt(ends, y) + 1, y, [{ text, tone }]);
      canvas.level(net, y, numberAt(ends, y) + 1, column, tone);
    };
    for (const id of arc.targets) begin(id, glyphs.left);
    for (const id of arc.sources) begin(id, glyphs.flat);
    canvas.upright(net, column, from, to, tone);
  });
  const lines = canvas.lines();
  return canvas.clashes.size === 0 ? lines : undefined;
}

interface Lane {
  readonly arc: Arc;
  readonly column: number;
  readonly from: number;
  readonly to: number;
}

/** Assigns columns right of the text, with short arcs inside and long ones outside. */
function lanesOf(arcs: readonly Arc[], rowOf: ReadonlyMap<string, number>, ends: readonly number[]): Lane[] {
  const lanes: Lane[] = [];
  for (const arc of arcs) {
    const touched = [...arc.sources, ...arc.targets].map((id) => numberOf(rowOf, id));
    const from = touched.reduce((least, row) => Math.min(least, row), Number.POSITIVE_INFINITY);
    const to = touched.reduce((last, row) => Math.max(last, row), 0);
    let column = 0;
    for (let row = from; row <= to; row++) column = Math.max(column, numberAt(ends, row) + 3);
    for (const other of lanes) {
      if (other.from <= to && from <= other.to) column = Math.max(column, other.column + 2);
    }
    lanes.push({ arc, column, from, to });
  }
  return lanes;
}

function edgeNotes(extra: readonly PictureEdge[], named: readonly PictureEdge[]): (id: string) => EdgeNote {
  const after = new Map<string, string[]>();
  const returning = new Map<string, string[]>();
  const itself = new Set(extra.filter((edge) => edge.from === edge.to).map((edge) => edge.to));
  for (const { from, to, back } of named) {
    addTo(back === true ? returning : after, to, from);
  }
  return (id) => ({ after: after.get(id) ?? [], returning: returning.get(id) ?? [], itself: itself.has(id) });
}
