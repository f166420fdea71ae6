import type { Ending, Joint, Slot } from './scaffold.js';

const SPACING_LEAST = 2;
const SPACING_MOST = 6;

/** Cells a box needs for this many lines on one side. */
export function breadthForPorts(count: number): number {
  return count * SPACING_LEAST + 1;
}

/** How many lines fit on one side of a box. */
export function portsWithin(breadth: number): number {
  return Math.max(1, Math.floor((breadth - 1) / SPACING_LEAST));
}

/** Spreads the lines of each slot over its width, in the order in which they go on; returns come last. */
export function setPorts(
  rows: readonly (readonly Slot[])[],
  boxBreadth: (slot: Slot) => number,
  returnsBelow: ReadonlyMap<string, readonly number[]>,
  returnsAbove: ReadonlyMap<string, readonly number[]>,
): void {
  for (const row of rows) {
    for (const slot of row) {
      const { id } = slot;
      if (id === undefined) continue; // a line has one column: all its ends are there
      slot.below = spaced([...byRank(slot.right), ...(returnsBelow.get(id) ?? [])], boxBreadth(slot));
      slot.above = spaced([...byRank(slot.left), ...(returnsAbove.get(id) ?? [])], boxBreadth(slot));
    }
  }
}

const byRank = (joints: readonly Joint[]): Joint[] => [...joints].sort((a, b) => a.rank - b.rank);

function spaced(endings: readonly Ending[], breadth: number): Map<Ending, number> {
  const spacing = Math.max(
    SPACING_LEAST,
    Math.min(SPACING_MOST, Math.floor((breadth - 2) / Math.max(1, endings.length))),
  );
  const first = Math.floor(breadth / 2) - Math.floor(((endings.length - 1) * spacing) / 2);
  return new Map(endings.map((ending, index) => [ending, first + index * spacing]));
}
