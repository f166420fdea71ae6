/** Whatever has a place in a layer and neighbours in the layers beside it. */
export interface Knot {
  /** Neighbours one layer before and one layer behind. */
  readonly left: readonly Knot[];
  readonly right: readonly Knot[];
  /** The place within its layer. */
  rank: number;
}

const SWEEPS = 12;

/**
 * Orders each layer by the mean place of its neighbours, forth and back, and keeps the order with fewest crossings. Where
 * fewer sweeps must do, `sweeps` says how many.
 */
export function untangle<Item extends Knot>(layers: Item[][], sweeps = SWEEPS): void {
  layers.forEach(number);
  let best = layers.map((layer) => [...layer]);
  let fewest = crossings(layers);
  for (let sweep = 0; sweep < sweeps && (fewest > 0 || sweep === 0); sweep++) {
    const forth = sweep % 2 === 0;
    for (const layer of forth ? layers : [...layers].reverse()) {
      if (layer.length < 2) continue;
      const wanted = layer.map((item) => meanRank(forth ? item.left : item.right) ?? item.rank);
      layer.sort(
        (a, b) => loneliness(a) - loneliness(b) || (wanted[a.rank] ?? 0) - (wanted[b.rank] ?? 0) || a.rank - b.rank,
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

/** Pairs of edges that cross between neighbouring layers: inversions, counted with a Fenwick tree. */
function crossings(layers: readonly (readonly Knot[])[]): number {
  let count = 0;
  for (let index = 0; index + 1 < layers.length; index++) {
    const size = layers[index + 1]?.length ?? 0;
    const tree = new Array<number>(size + 1).fill(0);
    let seen = 0;
    for (const item of layers[index] ?? []) {
      const ranks = item.right.map((other) => other.rank).sort((a, b) => a - b);
      for (const rank of ranks) {
        let before = 0;
        for (let at = rank + 1; at > 0; at -= at & -at) before += tree[at] ?? 0;
        count += seen - before;
      }
      for (const rank of ranks) for (let at = rank + 1; at <= size; at += at & -at) tree[at] = (tree[at] ?? 0) + 1;
      seen += ranks.length;
    }
  }
  return count;
}

/** What has no edges at all stands behind the rest of its layer, where it bends nothing. */
function loneliness(item: Knot): number {
  return item.left.length + item.right.length === 0 ? 1 : 0;
}

function meanRank(items: readonly Knot[]): number | undefined {
  if (items.length === 0) return undefined;
  return items.reduce((sum, item) => sum + item.rank, 0) / items.length;
}
