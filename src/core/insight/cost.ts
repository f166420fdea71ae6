import * as z from 'zod/mini';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { estimateOf, totalHours } from './brief.js';
import { Neighbours } from './impact.js';
import { ids } from './shapes.js';

/** Hourly price of a task's doer; undefined if unknown. */
export type Rate = (task: Task) => number | undefined;

/** Estimated costs. `hourly` grows if tasks take longer; `stated` costs do not. */
export interface Costs {
  readonly stated: number;
  readonly hourly: number;
  readonly total: number;
}

const PLACES = 10_000;

/** A task's stated cost, else its hours at its doer's rate. */
export function costWith(rate: Rate | undefined, task: Task): number | undefined {
  return estimateOf(task, 'cost') ?? atRate(rate, task);
}

/** Sums costs as integers: then the result does not depend on the order. */
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

export const costShape = z.object({
  task_id: z.string(),
  total_cost: z.number(),
  total_hours: z.number(),
  /** Tasks with neither an estimate of hours nor of cost. */
  missing_estimates: ids,
});
export type Cost = z.infer<typeof costShape>;

/**
 * Cost of a task and everything it depends on; shared dependencies count once. Without a stated cost, a task's hours
 * count at its doer's rate.
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
