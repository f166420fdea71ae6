import { timeOf } from '#core/graph/time.js';
import { timestamp } from '#kernel/clock.js';
import { LIMITS } from '#kernel/limits.js';

export interface Throttled {
  /** When its runs died lately, this one included: kept on the task. */
  readonly deaths: readonly string[];
  /** Not before, in milliseconds; undefined: at once. */
  readonly until?: number;
  /** It died too often: it is given up. */
  readonly spent: boolean;
}

/**
 * A task whose runs die one after another is tried less and less often, and then no more. Deaths belong together when the
 * next one comes within the window, not counting the pause in between: else the pauses themselves would end the row.
 */
export function throttle(earlier: unknown, now: number): Throttled {
  const known = Array.isArray(earlier) ? earlier.filter((time): time is string => typeof time === 'string') : [];
  let deaths: string[] = [];
  for (const death of [...known, timestamp(now)]) {
    const gap = timeOf(death) - timeOf(deaths.at(-1));
    if (gap > LIMITS.deathWindowMs + pauseAfter(deaths.length)) deaths = [];
    deaths.push(death);
  }
  if (deaths.length >= LIMITS.deathsMost) return { deaths, spent: true };
  const pauseMs = pauseAfter(deaths.length);
  return { deaths, ...(pauseMs === 0 ? {} : { until: now + pauseMs }), spent: false };
}

function pauseAfter(deaths: number): number {
  return deaths < 2 ? 0 : LIMITS.deathPauseMs * 2 ** (deaths - 2);
}
