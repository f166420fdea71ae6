import type { Task } from '#core/graph/task.js';
import { estimateOf } from './brief.js';

/** What an hour of whoever does a task costs; undefined where nobody says. */
export type Rate = (task: Task) => number | undefined;

/** What tasks are thought to cost. `hourly` grows when they take longer; what was said outright does not. */
export interface Costs {
  readonly said: number;
  readonly hourly: number;
  readonly total: number;
}

const PLACES = 10_000;

/** What a task says itself, else its hours at the rate of whoever it is for. */
export function costWith(rate: Rate | undefined, task: Task): number | undefined {
  return estimateOf(task, 'cost') ?? atRate(rate, task);
}

/** Sums in whole parts, so that they do not depend on the order in which they are made. */
export function costsTogether(rate: Rate | undefined, tasks: Iterable<Task>): Costs {
  let [said, hourly] = [0, 0];
  for (const task of tasks) {
    const cost = estimateOf(task, 'cost');
    if (cost === undefined) hourly += whole(atRate(rate, task));
    else said += whole(cost);
  }
  return { said: said / PLACES, hourly: hourly / PLACES, total: (said + hourly) / PLACES };
}

function atRate(rate: Rate | undefined, task: Task): number | undefined {
  const hours = estimateOf(task, 'hours');
  const price = hours === undefined ? undefined : rate?.(task);
  return hours === undefined || price === undefined ? undefined : whole(hours * price) / PLACES;
}

function whole(value: number | undefined): number {
  return Math.round((value ?? 0) * PLACES);
}
