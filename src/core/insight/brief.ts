import { isTerminal, type Status, type Task } from '#core/graph/task.js';

/** A task in the fewest words that tell it from others. `hours` is what is estimated, null where nobody said. */
export interface Brief {
  readonly id: string;
  readonly title: string;
  readonly status: Status;
  readonly hours: number | null;
}

export function briefOf(task: Task): Brief {
  return { id: task.id, title: task.title, status: task.status, hours: estimateOf(task, 'hours') ?? null };
}

/** What a task is thought to take or cost; undefined also for what a hand wrote there that is no number of 0 or more. */
export function estimateOf(task: Task, what: 'hours' | 'cost'): number | undefined {
  const value: unknown = task.estimate?.[what];
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

const UNITS_AN_HOUR = 1_000_000;

/** Estimated hours in whole millionths, so that sums do not depend on the order in which they are made. */
export function unitsOf(task: Task): number {
  return Math.round((estimateOf(task, 'hours') ?? 0) * UNITS_AN_HOUR);
}

export function hoursOf(units: number): number {
  return units / UNITS_AN_HOUR;
}

/** The sum of all hours that are estimated. */
export function totalHours(tasks: Iterable<Task>): number {
  let units = 0;
  for (const task of tasks) units += unitsOf(task);
  return hoursOf(units);
}

export function isUnfinished(task: Task): boolean {
  return !isTerminal(task.status);
}

/** Milliseconds of a stored time; undefined for none and for what is no time. */
export function storedMoment(value: unknown): number | undefined {
  const moment = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}

/** The texts of a list that may have been written by a hand or another tool. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** Rounded for people: two places. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
