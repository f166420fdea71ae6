import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { estimateOf, totalHours } from './brief.js';
import { Neighbours } from './impact.js';

/** What an hour of whoever does a task costs; undefined where nobody says. */
export type Rate = (task: Task) => number | undefined;

/** What tasks are thought to cost. `hourly` grows when they take longer; what was said outright does not. */
export interface Costs {
  readonly stated: number;
  readonly hourly: number;
  readonly total: number;
}

const PLACES = 10_000;

/** What a task says itself, else its hours at the rate of whoever it is for. */
export function costWith(rate: Rate | undefined, task: Task): number | undefined {
  return estimateOf(task, 'cost') ?? atRate(rate, task);
}

/** Sums in whole parts, so that they do not depend on the order in which they are made. */
export function totalCosts(rate: Rate | undefined, tasks: Iterable<Task>): Costs {
  let [stated, hourly] = [0, 0];
  for (const task of tasks) {
    const cost = estimateOf(task, 'cost');
    if (cost === undefined) hourly += whole(atRate(rate, task));
    else stated += whole(cost);
  }
  return { stated: stated / PLACES, hourly: hourly / PLACES, total: (stated + hourly) / PLACES };
}

function atRate(rate: Rate | undefined, task: Task): number | undefined {
  const hours = estimateOf(task, 'hours');
  const price = hours === undefined ? undefined : rate?.(task);
  return hours === undefined || price === undefined ? undefined : whole(hours * price) / PLACES;
}

function whole(value: number | undefined): number {
  return Math.round((value ?? 0) * PLACES);
}

export interface Cost {
  readonly task_id: string;
  readonly total_cost: number;
  readonly total_hours: number;
  /** Tasks that say neither what they take nor what they cost. */
  readonly missing_estimates: readonly string[];
}

/**
 * What a task costs with everything that has to come before it; what two ways share is counted once. Where a task does not say
 * it, its hours count at the rate of whoever it is for.
 */
export function costOf(view: GraphView, id: string, rate?: Rate): Cost {
  const task = taskOf(view, id);
  const around = new Neighbours(view);
  const all = [task, ...around.from(task.id, (other) => around.predecessors(other))];
  return {
    task_id: task.id,
    total_cost: totalCosts(rate, all).total,
    total_hours: totalHours(all),
    missing_estimates: all
      .filter((each) => estimateOf(each, 'cost') === undefined && estimateOf(each, 'hours') === undefined)
      .map((each) => each.id)
      .sort(),
  };
}
