/** Appends to the list of a key, creating it if needed. */
export function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** Appends to the list at an index, creating it if needed. */
export function addAt<Item>(lists: Item[][], place: number, item: Item): void {
  const list = lists[place];
  if (list) list.push(item);
  else lists[place] = [item];
}
