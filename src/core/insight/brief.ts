import { isTerminal, type Task } from '#core/graph/task.js';
import type { Brief } from './shapes.js';

/** Short description of a task. `hours` is the estimate, null if there is none. */
export function briefOf(task: Task): Brief {
  return { id: task.id, title: task.title, status: task.status, hours: estimateOf(task, 'hours') ?? null };
}

/** Estimated hours or cost of a task; undefined if missing or not a number of 0 or more. */
export function estimateOf(task: Task, what: 'hours' | 'cost'): number | undefined {
  const value: unknown = task.estimate?.[what];
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

const UNITS_AN_HOUR = 1_000_000;

/** Estimated hours in millionths, as integers: then sums do not depend on the order of addition. */
export function unitsOf(task: Task): number {
  return Math.round((estimateOf(task, 'hours') ?? 0) * UNITS_AN_HOUR);
}

export function hoursOf(units: number): number {
  return units / UNITS_AN_HOUR;
}

export function totalHours(tasks: Iterable<Task>): number {
  let units = 0;
  for (const task of tasks) units += unitsOf(task);
  return hoursOf(units);
}

export function isUnfinished(task: Task): boolean {
  return !isTerminal(task.status);
}

/** Parses a stored time to milliseconds; undefined if missing or invalid. */
export function storedMoment(value: unknown): number | undefined {
  const moment = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}

/** Strings of a list from a source that is not validated, such as a hand edit. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** Rounds to two decimal places, for display. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
