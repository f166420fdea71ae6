/** Milliseconds of a stored time; a missing or unreadable one counts as long past. */
export function timeOf(text: string | undefined): number {
  const value = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value;
}
