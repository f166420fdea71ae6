/** Comparator of texts by code units, independent of the locale. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Comparator by id. */
export function byId(left: { readonly id: string }, right: { readonly id: string }): number {
  return compareText(left.id, right.id);
}
