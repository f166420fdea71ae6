/** Order of texts by code units: the same on every machine, whatever its language. For `sort`. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Order of whatever has no better one. For `sort`. */
export function byId(left: { readonly id: string }, right: { readonly id: string }): number {
  return compareText(left.id, right.id);
}
