/** Adds to the list of a key, which begins with its first item. */
export function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** Adds to the list at a place, which begins with its first item. */
export function addAt<Item>(lists: Item[][], place: number, item: Item): void {
  const list = lists[place];
  if (list) list.push(item);
  else lists[place] = [item];
}
