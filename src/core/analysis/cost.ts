import { estimateOf, hoursTogether } from '#core/analysis/brief.js';
import { Neighbours } from '#core/analysis/neighbours.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';

export interface Cost {
  readonly task_id: string;
  readonly total_cost: number;
  readonly total_hours: number;
  /** Tasks that say neither what they take nor what they cost. */
  readonly missing_estimates: readonly string[];
}

const CENTS_OF_CENTS = 10_000;

/** What a task costs with everything that has to come before it; what two ways share is counted once. */
export function costOf(view: GraphView, id: string): Cost {
  const task = taskOf(view, id);
  const around = new Neighbours(view);
  const all = [task, ...around.from(task.id, (other) => around.predecessors(other))];
  const costs = all.map((each) => Math.round((estimateOf(each, 'cost') ?? 0) * CENTS_OF_CENTS));
  return {
    task_id: task.id,
    total_cost: costs.reduce((sum, cost) => sum + cost, 0) / CENTS_OF_CENTS,
    total_hours: hoursTogether(all),
    missing_estimates: all
      .filter((each) => estimateOf(each, 'cost') === undefined && estimateOf(each, 'hours') === undefined)
      .map((each) => each.id)
      .sort(),
  };
}
