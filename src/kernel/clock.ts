/** Time is injected everywhere, so that tests and simulations own it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** RFC 3339 in UTC with milliseconds: the only form in which times are written. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The beginning of a day `2026-03-21`, in milliseconds since 1970; undefined for text that names no day of the calendar. */
export function dayAt(text: string): number | undefined {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // 30 February would be read as a day of March.
  return Number.isNaN(at) || timestamp(at).slice(0, text.length) !== text ? undefined : at;
}
