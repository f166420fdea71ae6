/**
 * Element at an index that is known to be valid. The type of the index does not express that, and the fallback is
 * needed only here.
 */
export function numberAt(numbers: { readonly [index: number]: number }, index: number): number {
  return numbers[index] ?? 0;
}

/** Number of a key, 0 if there is none. */
export function numberOf<Key>(numbers: ReadonlyMap<Key, number>, key: Key): number {
  return numbers.get(key) ?? 0;
}

/** Increments the count of a key. */
export function countUp<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, numberOf(counts, key) + 1);
}
