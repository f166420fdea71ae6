/** Items that may have gone before one is looked for as new. */
const AHEAD = 16;

/** Position of each item in an earlier list of the same order, in which few items were different; -1 for others. */
export function placesIn<Item>(earlier: readonly Item[], items: readonly Item[]): Int32Array {
  const places = new Int32Array(items.length).fill(-1);
  let from = 0;
  for (const [at, item] of items.entries()) {
    const until = Math.min(earlier.length, from + AHEAD);
    let place = from;
    while (place < until && earlier[place] !== item) place++;
    if (place === until) continue;
    places[at] = place;
    from = place + 1;
  }
  return places;
}

/**
 * Values of the items of a list, computed anew only for those that were not in the list before. For thousands of
 * immutable items of which few are replaced between two passes: they are compared without being read.
 */
export class KeptValues<Item, Value> {
  private readonly derive: (item: Item) => Value;
  private items: readonly Item[] = [];
  private values: readonly Value[] = [];

  constructor(derive: (item: Item) => Value) {
    this.derive = derive;
  }

  of(items: readonly Item[]): readonly Value[] {
    const places = placesIn(this.items, items);
    const values = items.map((item, at) => {
      const place = places[at] ?? -1;
      return place < 0 ? this.derive(item) : (this.values[place] as Value);
    });
    [this.items, this.values] = [items, values];
    return values;
  }
}
