import { addTo } from '#core/insight/gathering.js';
import type { PictureEdge } from '#core/insight/picture.js';
import { numberAt, numberOf } from '#kernel/numbers.js';
import type { Scaffold, Slot } from './scaffold.js';

/** Cells beside a box for the loop of a task that depends on itself. */
export const LOOP_CELLS = 2;

/** All back edges to one task: a lane beside the drawing, upwards, with an arrow into that task. */
export interface Return {
  readonly header: string;
  readonly sources: readonly string[];
}

/** End of a lane at a task: at its side, on a text line, or through the channel above or below. */
export interface Meeting {
  readonly id: string;
  readonly arrow: boolean;
  /** Text line, from the top; undefined if it goes through the channel. */
  readonly line: number | undefined;
}

export function returnsOf(edges: readonly PictureEdge[]): Return[] {
  const sources = new Map<string, string[]>();
  for (const { from, to, back } of edges) {
    if (back !== true || from === to) continue;
    addTo(sources, to, from);
  }
  return [...sources].map(([header, ids]) => ({ header, sources: ids }));
}

/** Assigns lane ends. The last box of a row has a free side: lanes meet it there, as long as it has text lines left. */
export function meetingsOf(
  returns: readonly Return[],
  { rows, boxes }: Scaffold,
  linesOf: (id: string) => number,
): Meeting[][] {
  const lastBox = rows.map((row) => row.findLast((slot) => slot.id !== undefined)?.id);
  const used = new Map<string, number>();
  const meet = (id: string, arrow: boolean): Meeting => {
    const line = numberOf(used, id);
    const free = lastBox[boxes.get(id)?.row ?? 0] === id && line < linesOf(id);
    if (free) used.set(id, line + 1);
    return { id, arrow, line: free ? line : undefined };
  };
  return returns.map(({ header, sources }) => [meet(header, true), ...sources.map((id) => meet(id, false))]);
}

export interface ReturnTrack {
  readonly column: number;
  /** Rows it passes, including those beside its channels. */
  readonly from: number;
  readonly to: number;
}

/** Assigns columns to the lanes, with short ones next to the boxes and long ones outside. */
export function lanesOf(
  meetings: readonly (readonly Meeting[])[],
  { rows, boxes }: Scaffold,
  breadthOf: (slot: Slot) => number,
): ReturnTrack[] {
  const extent = rows.map((row) => Math.max(0, ...row.map((slot) => slot.x + breadthOf(slot) - 1)));
  const spans = meetings.map((ends, index) => {
    const touched = ends.flatMap(({ id, arrow, line }) => {
      const row = boxes.get(id)?.row ?? 0;
      return line !== undefined ? [row] : arrow ? [row - 1, row] : [row, row + 1];
    });
    return { index, from: Math.min(...touched), to: Math.max(...touched) };
  });
  const lanes: (ReturnTrack & { readonly index: number })[] = [];
  for (const { index, from, to } of spans.toSorted((a, b) => a.to - a.from - (b.to - b.from))) {
    let column = 0;
    for (let row = Math.max(0, from); row <= Math.min(rows.length - 1, to); row++) {
      column = Math.max(column, numberAt(extent, row) + 2);
    }
    for (const other of lanes) {
      if (other.from <= to && from <= other.to) column = Math.max(column, other.column + 2);
    }
    lanes.push({ index, column, from, to });
  }
  return lanes.sort((a, b) => a.index - b.index);
}
