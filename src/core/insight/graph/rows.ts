import { addAt } from '#core/insight/gathering.js';
import { numberAt, numberOf } from '#kernel/numbers.js';
import type { Net } from './nets.js';
import { type Slot, spanOf } from './scaffold.js';

/** Blank cells between two boxes, and beside a passing line. */
const BOX_GAP = 2;
const LINE_GAP = 1;
/** Part of a folded drawing's width reserved for passing lines. */
const PASSING_PART = 0.2;

export interface Order {
  readonly layerOf: ReadonlyMap<string, number>;
  readonly before: ReadonlyMap<string, readonly string[]>;
  readonly after: ReadonlyMap<string, readonly string[]>;
}

/** Distance from one left edge to the next. */
export function stepTo(before: Slot | undefined, slot: Slot): number {
  if (before === undefined) return 0;
  return before.breadth + (before.id === undefined || slot.id === undefined ? LINE_GAP : BOX_GAP);
}

/** Width of a row of boxes in cells. */
export function cellsOfRow(breadths: readonly number[]): number {
  return breadths.reduce((sum, breadth) => sum + breadth + BOX_GAP, -BOX_GAP);
}

/**
 * Assigns rows to tasks: one per layer, or several for a layer wider than the drawing. Then tasks without dependents
 * come first, which leaves fewer rows for the lines of the others to pass.
 */
export function rowsOf(
  ids: readonly string[],
  order: Order,
  breadthOf: (id: string) => number,
  width: number,
): Map<string, number> {
  const layers: string[][] = [];
  for (const id of ids) addAt(layers, numberOf(order.layerOf, id), id);
  const rowOf = new Map<string, number>();
  const place = new Map<string, number>();
  let row = 0;
  for (const layer of layers) {
    const folded = cellsOfRow(layer.map(breadthOf)) > width;
    const limit = folded ? width * (1 - PASSING_PART) : width;
    let used = 0;
    for (const id of folded ? sortLayer(layer, order, place) : layer) {
      const needed = breadthOf(id) + BOX_GAP;
      if (used > 0 && used + needed - BOX_GAP > limit) {
        row++;
        used = 0;
      }
      used += needed;
      rowOf.set(id, row);
      place.set(id, place.size);
    }
    row++;
  }
  return rowOf;
}

function sortLayer(layer: readonly string[], { before, after }: Order, place: ReadonlyMap<string, number>): string[] {
  const near = new Map(
    layer.map((id) => {
      const places = (before.get(id) ?? []).map((other) => numberOf(place, other));
      return [id, places.reduce((sum, at) => sum + at, 0) / Math.max(1, places.length)];
    }),
  );
  const leads = (id: string) => ((after.get(id)?.length ?? 0) > 0 ? 1 : 0);
  return [...layer].sort((a, b) => leads(a) - leads(b) || numberOf(near, a) - numberOf(near, b));
}

/**
 * Removes lines from rows that would become too wide, longest first. Returns the remaining nets, and the edges to be
 * named instead.
 */
export function withinWidth(
  nets: readonly Net[],
  rowOf: ReadonlyMap<string, number>,
  breadthOf: (id: string) => number,
  width: number,
): { nets: Net[]; named: { from: string; to: string }[] } {
  const used: number[] = [];
  for (const [id, row] of rowOf) used[row] = (used[row] ?? -BOX_GAP) + breadthOf(id) + BOX_GAP;
  const starting: Net[][] = [];
  const copies = nets.map((net): Net => ({ sources: [...net.sources], targets: [...net.targets] }));
  for (const net of copies) addAt(starting, spanOf(net, rowOf).first, net);
  const named: { from: string; to: string }[] = [];
  const row = (id: string) => numberOf(rowOf, id);
  let passing: { readonly net: Net; readonly last: number }[] = [];
  for (let at = 0; at < used.length; at++) {
    passing = passing.filter(({ last }) => last > at);
    const most = Math.max(0, Math.floor((width - Math.max(0, numberAt(used, at))) / (1 + LINE_GAP)));
    if (passing.length > most) passing.sort((a, b) => a.last - b.last);
    for (const { net } of passing.splice(most)) {
      const above = net.sources.filter((id) => row(id) < at);
      const below = net.targets.filter((id) => row(id) > at);
      for (const from of above) for (const to of below) named.push({ from, to });
      if (above.length === net.sources.length) net.targets = net.targets.filter((id) => row(id) <= at);
      else {
        net.sources = net.sources.filter((id) => row(id) >= at);
        addAt(starting, spanOf(net, rowOf).first, net);
      }
    }
    for (const net of starting[at] ?? []) passing.push({ net, last: spanOf(net, rowOf).last });
  }
  return { nets: copies.filter((net) => net.targets.length > 0 && net.sources.length > 0), named };
}
