/**
 * The number at a place that is known to be inside. The type of an index does not know it; one fallback here serves all
 * loops over numbers.
 */
export function numberAt(numbers: { readonly [index: number]: number }, index: number): number {
  return numbers[index] ?? 0;
}
