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
