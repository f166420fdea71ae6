/** Returns the first `count` items of a sort order without sorting all items. Stable. */
export function firstInOrder<Item>(
  items: readonly Item[],
  count: number,
  compare: (left: Item, right: Item) => number,
): readonly Item[] {
  const first: Item[] = [];
  for (const item of items) {
    const last = first.at(-1);
    if (first.length >= count && (last === undefined || compare(item, last) >= 0)) continue;
    let [from, to] = [0, first.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const other = first[middle];
      if (other !== undefined && compare(other, item) <= 0) from = middle + 1;
      else to = middle;
    }
    first.splice(from, 0, item);
    if (first.length > count) first.pop();
  }
  return first;
}
