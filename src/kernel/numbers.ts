/**
 * The number at a place that is known to be inside. The type of an index does not know it; one fallback here serves all
 * loops over numbers.
 */
export function numberAt(numbers: { readonly [index: number]: number }, index: number): number {
  return numbers[index] ?? 0;
}

/** The same of a table: what it does not name has none. */
export function numberOf<Key>(numbers: ReadonlyMap<Key, number>, key: Key): number {
  return numbers.get(key) ?? 0;
}

/** One more of these. */
export function countUp<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, numberOf(counts, key) + 1);
}
