import { countUp, numberAt, numberOf } from '#kernel/numbers.js';

export interface LayoutTask {
  readonly id: string;
  readonly after: readonly string[];
}

export interface LayoutEdge {
  readonly from: string;
  readonly to: string;
  /** Closes a cycle: drawn as a return, ignored for the layers. */
  readonly back: boolean;
}

export interface Layers {
  /** Layer of each task: one more than the highest layer of its predecessors. */
  readonly layerOf: ReadonlyMap<string, number>;
  readonly edges: readonly LayoutEdge[];
}

/**
 * Longest-path layering. Edges that close a cycle are excluded, so every graph gets valid layers: first the known back
 * edges, then the remaining ones. Iterative, because chains may contain thousands of tasks.
 */
export function layersOf(
  tasks: readonly LayoutTask[],
  isReturn: (from: string, to: string) => boolean = () => false,
): Layers {
  const ids = new Set(tasks.map((task) => task.id));
  const before = new Map(tasks.map((task) => [task.id, [...new Set(task.after)].filter((id) => ids.has(id))]));
  const forward = new Map([...before].map(([to, froms]) => [to, froms.filter((from) => !isReturn(from, to))]));
  const returns = closingEdges(tasks, forward);
  const edges: LayoutEdge[] = [];
  for (const { id: to } of tasks) {
    for (const from of before.get(to) ?? []) {
      edges.push({ from, to, back: isReturn(from, to) || returns.get(to)?.has(from) === true });
    }
  }
  return { layerOf: longestPaths(tasks, edges), edges };
}

/**
 * For each task, the predecessors whose edge closes a cycle. One depth-first walk from tasks without predecessors: a
 * cycle is entered where work enters it, and the edge back to there is the return.
 */
function closingEdges(
  tasks: readonly LayoutTask[],
  before: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const after = new Map<string, string[]>(tasks.map((task) => [task.id, []]));
  for (const [id, predecessors] of before) for (const predecessor of predecessors) after.get(predecessor)?.push(id);
  const closingOf = new Map<string, Set<string>>();
  const state = new Map<string, 'open' | 'closed'>();
  const starts = [...tasks.filter((task) => before.get(task.id)?.length === 0), ...tasks];
  for (const start of starts) {
    if (state.has(start.id)) continue;
    const path: { id: string; next: number }[] = [{ id: start.id, next: 0 }];
    state.set(start.id, 'open');
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = after.get(top.id)?.[top.next++];
      if (next === undefined) {
        state.set(top.id, 'closed');
        path.pop();
      } else if (state.get(next) === 'open') {
        const closing = closingOf.get(next) ?? new Set();
        closingOf.set(next, closing.add(top.id));
      } else if (!state.has(next)) {
        state.set(next, 'open');
        path.push({ id: next, next: 0 });
      }
    }
  }
  return closingOf;
}

function longestPaths(tasks: readonly LayoutTask[], edges: readonly LayoutEdge[]): ReadonlyMap<string, number> {
  const layerOf = new Map(tasks.map((task) => [task.id, 0]));
  const after = new Map<string, string[]>(tasks.map((task) => [task.id, []]));
  const open = new Map(tasks.map((task) => [task.id, 0]));
  for (const { from, to, back } of edges) {
    if (back) continue;
    after.get(from)?.push(to);
    countUp(open, to);
  }
  const queue = tasks.filter((task) => open.get(task.id) === 0).map((task) => task.id);
  for (const id of queue) {
    for (const next of after.get(id) ?? []) {
      layerOf.set(next, Math.max(numberOf(layerOf, next), numberOf(layerOf, id) + 1));
      const openEdges = numberOf(open, next) - 1;
      open.set(next, openEdges);
      if (openEdges === 0) queue.push(next);
    }
  }
  return layerOf;
}

/** A node with a rank in its layer and neighbours in the adjacent layers. */
export interface Knot {
  /** Neighbours in the previous and in the next layer. */
  readonly left: readonly Knot[];
  readonly right: readonly Knot[];
  /** Position within its layer. */
  rank: number;
}

const SWEEPS = 12;

/**
 * Orders each layer by the mean rank of its neighbours, alternating directions, and keeps the order with the fewest
 * crossings. `sweeps` limits the number of passes.
 */
export function minimiseCrossings<Item extends Knot>(layers: Item[][], sweeps = SWEEPS): void {
  layers.forEach(number);
  let best = layers.map((layer) => [...layer]);
  let fewest = crossings(layers);
  for (let sweep = 0; sweep < sweeps && (fewest > 0 || sweep === 0); sweep++) {
    const forth = sweep % 2 === 0;
    for (const layer of forth ? layers : [...layers].reverse()) {
      if (layer.length < 2) continue;
      const means = layer.map((item) => meanRank(forth ? item.left : item.right) ?? item.rank);
      layer.sort(
        (a, b) =>
          isolationRank(a) - isolationRank(b) || numberAt(means, a.rank) - numberAt(means, b.rank) || a.rank - b.rank,
      );
      number(layer);
    }
    const count = crossings(layers);
    if (count < fewest || sweep === 0) {
      fewest = count;
      best = layers.map((layer) => [...layer]);
    }
  }
  best.forEach((layer, index) => {
    layers[index] = layer;
    number(layer);
  });
}

function number(layer: readonly Knot[]): void {
  layer.forEach((item, rank) => {
    item.rank = rank;
  });
}

/** Number of edge crossings between adjacent layers: inversions, counted with a Fenwick tree. */
function crossings(layers: readonly (readonly Knot[])[]): number {
  let count = 0;
  for (let index = 0; index + 1 < layers.length; index++) {
    const size = layers[index + 1]?.length ?? 0;
    const tree = new Array<number>(size + 1).fill(0);
    let passed = 0;
    for (const item of layers[index] ?? []) {
      const ranks = item.right.map((other) => other.rank).sort((a, b) => a - b);
      for (const rank of ranks) {
        let before = 0;
        for (let at = rank + 1; at > 0; at -= at & -at) before += numberAt(tree, at);
        count += passed - before;
      }
      for (const rank of ranks) for (let at = rank + 1; at <= size; at += at & -at) tree[at] = numberAt(tree, at) + 1;
      passed += ranks.length;
    }
  }
  return count;
}

/** Nodes without edges go to the end of their layer, where they cause no bends. */
function isolationRank(item: Knot): number {
  return item.left.length + item.right.length === 0 ? 1 : 0;
}

function meanRank(items: readonly Knot[]): number | undefined {
  if (items.length === 0) return undefined;
  return items.reduce((sum, item) => sum + item.rank, 0) / items.length;
}

/**
 * Places items in a fixed order on a line, as near as possible to their targets (weighted least squares, weights above
 * zero, 1 by default), at least their gaps apart, within the bounds if given. Pool-adjacent-violators algorithm; linear
 * time.
 */
export function spread(
  targets: readonly number[],
  gaps: readonly number[],
  weights: readonly number[] = [],
  [first, last]: readonly [number, number] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
): number[] {
  const offsets: number[] = [];
  let offset = 0;
  for (let index = 0; index < targets.length; index++) {
    if (index > 0) offset += numberAt(gaps, index);
    offsets.push(offset);
  }
  const pools: Pool[] = [];
  targets.forEach((value, index) => {
    const weight = weights[index] ?? 1;
    let pool: Pool = { sum: (value - numberAt(offsets, index)) * weight, weight, size: 1 };
    for (let near = pools.at(-1); near !== undefined && middle(near) >= middle(pool); near = pools.at(-1)) {
      pool = { sum: near.sum + pool.sum, weight: near.weight + pool.weight, size: near.size + pool.size };
      pools.pop();
    }
    pools.push(pool);
  });
  const places: number[] = [];
  const most = last - offset;
  for (const pool of pools) {
    const place = Math.max(first, Math.min(most, middle(pool)));
    for (let item = 0; item < pool.size; item++) places.push(place + numberAt(offsets, places.length));
  }
  return places;
}

/** Adjacent items that touch and move together. */
interface Pool {
  readonly sum: number;
  readonly weight: number;
  readonly size: number;
}

const middle = (pool: Pool): number => pool.sum / pool.weight;
