import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { estimateOf, hoursTogether } from './brief.js';
import { Neighbours } from './neighbours.js';
import { costsTogether, type Rate } from './rates.js';

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
    total_cost: costsTogether(rate, all).total,
    total_hours: hoursTogether(all),
    missing_estimates: all
      .filter((each) => estimateOf(each, 'cost') === undefined && estimateOf(each, 'hours') === undefined)
      .map((each) => each.id)
      .sort(),
  };
}
