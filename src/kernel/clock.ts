/** Source of the time, injected everywhere, so that tests and simulations control it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/**
 * Whether `at` is less than `spanMs` before or after `now`; all are times in milliseconds. A time far in the future was
 * taken before the clock of the machine was set back: nothing may wait until the clock has caught up with it.
 */
export function isRecent(at: number, now: number, spanMs: number): boolean {
  return Math.abs(now - at) < spanMs;
}

/** RFC 3339 in UTC with milliseconds: the only format in which times are written. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/**
 * Start of a day such as `2026-03-21`, in milliseconds since 1970; undefined for a text that is not a calendar date.
 */
export function dayAt(text = ''): number | undefined {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // 30 February would be parsed as a day of March.
  return Number.isNaN(at) || timestamp(at).slice(0, text.length) !== text ? undefined : at;
}
