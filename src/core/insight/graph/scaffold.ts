import { addAt, addTo } from '#core/insight/gathering.js';
import type { Knot } from '#core/insight/layout.js';
import { numberOf } from '#kernel/numbers.js';
import type { Net } from './nets.js';

/** Part of a net between two rows. */
export interface Joint extends Knot {
  readonly net: number;
  readonly left: Slot[];
  readonly right: Slot[];
  rank: number;
}

/** Line end at a port: part of a net, or the number of a return. */
export type Ending = Joint | number;

/** Element of a row: a box, or a passing line. */
export interface Slot extends Knot {
  /** Task id of a box; undefined for a line. */
  readonly id: string | undefined;
  readonly net: number | undefined;
  readonly row: number;
  readonly breadth: number;
  readonly left: Joint[];
  readonly right: Joint[];
  rank: number;
  /** Left edge. */
  x: number;
  /** Offsets at which lines enter from above and leave below, in cells from the left edge. */
  above: ReadonlyMap<Ending, number>;
  below: ReadonlyMap<Ending, number>;
}

export interface Scaffold {
  /** Slots of each row, left to right. */
  readonly rows: Slot[][];
  /** `channels[r]` is above row r. */
  readonly channels: Joint[][];
  readonly boxes: ReadonlyMap<string, Slot>;
}

const NO_PORTS: ReadonlyMap<Ending, number> = new Map();

/** Places boxes and passing lines in their rows and connects them by nets. */
export function scaffold(
  rowOf: ReadonlyMap<string, number>,
  breadthOf: (id: string) => number,
  nets: readonly Net[],
): Scaffold {
  const rows: Slot[][] = [];
  const channels: Joint[][] = [];
  const boxes = new Map<string, Slot>();
  const stand = (row: number, id: string | undefined, net: number | undefined, breadth: number): Slot => {
    const slot: Slot = {
      id,
      net,
      row,
      breadth,
      left: [],
      right: [],
      rank: rows[row]?.length ?? 0,
      x: 0,
      above: NO_PORTS,
      below: NO_PORTS,
    };
    addAt(rows, row, slot);
    return slot;
  };
  for (const [id, row] of rowOf) boxes.set(id, stand(row, id, undefined, breadthOf(id)));
  for (let row = 0; row <= rows.length; row++) channels.push([]);
  nets.forEach((net, number) => {
    const { first, last } = spanOf(net, rowOf);
    const sources = byRow(net.sources, rowOf, boxes);
    const targets = byRow(net.targets, rowOf, boxes);
    let passing: Slot | undefined;
    for (let row = first + 1; row <= last; row++) {
      const channel = channels[row] ?? [];
      const joint: Joint = {
        net: number,
        left: [...(sources.get(row - 1) ?? [])],
        right: [...(targets.get(row) ?? [])],
        rank: channel.length,
      };
      if (passing) joint.left.push(passing);
      passing = row < last ? stand(row, undefined, number, 1) : undefined;
      if (passing) joint.right.push(passing);
      for (const slot of joint.left) slot.right.push(joint);
      for (const slot of joint.right) slot.left.push(joint);
      channel.push(joint);
    }
  });
  return { rows, channels, boxes };
}

function byRow(
  ids: readonly string[],
  rowOf: ReadonlyMap<string, number>,
  boxes: ReadonlyMap<string, Slot>,
): Map<number, Slot[]> {
  const rows = new Map<number, Slot[]>();
  for (const id of ids) {
    const row = numberOf(rowOf, id);
    const slot = boxes.get(id);
    if (slot) addTo(rows, row, slot);
  }
  return rows;
}

/** Rows of a net's first source and last target. */
export function spanOf(net: Net, rowOf: ReadonlyMap<string, number>): { first: number; last: number } {
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const id of net.sources) first = Math.min(first, numberOf(rowOf, id));
  for (const id of net.targets) last = Math.max(last, numberOf(rowOf, id));
  return { first, last };
}

const SPACING_LEAST = 2;
const SPACING_MOST = 6;

/** Minimum width of a box for this many lines on one side. */
export function breadthForPorts(count: number): number {
  return count * SPACING_LEAST + 1;
}

/** Number of lines that fit on one side of a box. */
export function portsWithin(breadth: number): number {
  return Math.max(1, Math.floor((breadth - 1) / SPACING_LEAST));
}

/** Distributes the lines of each slot over its width, in the order of their continuations; returns come last. */
export function setPorts(
  rows: readonly (readonly Slot[])[],
  boxBreadth: (slot: Slot) => number,
  returnsBelow: ReadonlyMap<string, readonly number[]>,
  returnsAbove: ReadonlyMap<string, readonly number[]>,
): void {
  for (const row of rows) {
    for (const slot of row) {
      const { id } = slot;
      if (id === undefined) continue; // a line has one column, for all its ends
      slot.below = spacePorts([...byRank(slot.right), ...(returnsBelow.get(id) ?? [])], boxBreadth(slot));
      slot.above = spacePorts([...byRank(slot.left), ...(returnsAbove.get(id) ?? [])], boxBreadth(slot));
    }
  }
}

const byRank = (joints: readonly Joint[]): Joint[] => [...joints].sort((a, b) => a.rank - b.rank);

function spacePorts(endings: readonly Ending[], breadth: number): Map<Ending, number> {
  const spacing = Math.max(
    SPACING_LEAST,
    Math.min(SPACING_MOST, Math.floor((breadth - 2) / Math.max(1, endings.length))),
  );
  const first = Math.floor(breadth / 2) - Math.floor(((endings.length - 1) * spacing) / 2);
  return new Map(endings.map((ending, index) => [ending, first + index * spacing]));
}
