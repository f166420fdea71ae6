import { anything, taskField } from '#core/graph/task-field.js';
import { timeOf } from '#core/graph/time.js';
import { timestamp } from '#kernel/clock.js';
import { LIMITS } from '#kernel/limits.js';

export const DEATHS = taskField('deaths', anything);

export interface ThrottleResult {
  /** When its runs died since it was last opened, this one included: kept on the task. */
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
export function throttle(earlier: unknown, now: number): ThrottleResult {
  const before = Array.isArray(earlier) ? earlier.filter((time): time is string => typeof time === 'string') : [];
  const deaths = [...before, timestamp(now)].slice(-LIMITS.deathsInAll);
  let row = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const death of deaths.map(timeOf)) {
    row = death - last > LIMITS.deathWindowMs + pauseAfter(row) ? 1 : row + 1;
    last = death;
  }
  if (row >= LIMITS.maxDeaths || deaths.length >= LIMITS.deathsInAll) return { deaths, spent: true };
  const pauseMs = pauseAfter(row);
  return { deaths, ...(pauseMs === 0 ? {} : { until: now + pauseMs }), spent: false };
}

function pauseAfter(deaths: number): number {
  return deaths < 2 ? 0 : LIMITS.deathPauseMs * 2 ** (deaths - 2);
}
