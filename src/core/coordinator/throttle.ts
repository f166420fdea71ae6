import { anything, taskField } from '#core/graph/task-field.js';
import { timeOf } from '#core/graph/time.js';
import { timestamp } from '#kernel/clock.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';

export const DEATHS = taskField('deaths', anything);

export interface ThrottleResult {
  /** Times at which its runs died since the task was last opened, including this death; stored on the task. */
  readonly deaths: readonly string[];
  /** Earliest time of the next attempt, in milliseconds; undefined: at once. */
  readonly until?: number;
  /** The task failed too often and is given up. */
  readonly spent: boolean;
}

/**
 * Computes the pause before the next attempt at a task whose runs die one after another; the pauses grow until the task
 * is given up. Deaths form a row if the next one comes within the window, not counting the pause in between: otherwise
 * the pauses themselves would end the row.
 */
export function throttle(earlier: unknown, now: number): ThrottleResult {
  const before = Array.isArray(earlier) ? earlier.filter((time): time is string => typeof time === 'string') : [];
  const deaths = [...before, timestamp(now)].slice(-WORK_LIMITS.deathsInAll);
  let row = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const death of deaths.map(timeOf)) {
    row = death - last > WORK_LIMITS.deathWindowMs + pauseAfter(row) ? 1 : row + 1;
    last = death;
  }
  if (row >= WORK_LIMITS.maxDeaths || deaths.length >= WORK_LIMITS.deathsInAll) return { deaths, spent: true };
  const pauseMs = pauseAfter(row);
  return { deaths, ...(pauseMs === 0 ? {} : { until: now + pauseMs }), spent: false };
}

function pauseAfter(deaths: number): number {
  return deaths < 2 ? 0 : WORK_LIMITS.deathPauseMs * 2 ** (deaths - 2);
}
