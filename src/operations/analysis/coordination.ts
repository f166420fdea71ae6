import { type Coordination, NO_COORDINATION } from '#core/analysis/coordination.js';
import { Ledger } from '#core/coordinator/budget.js';
import type { Task } from '#core/graph/task.js';
import type { Context } from '#operations/operation.js';

/** What the coordinator of this process says; where there is none, no other process has one either, or it would be asked. */
export function coordinationIn(context: Context): Coordination {
  const facts = context.coordinator?.();
  if (!facts) return NO_COORDINATION;
  const { paused, alive, maxAgents: most, executor, missing, backOffUntil, budget, triaged } = facts;
  const ledger = budget && new Ledger(budget);
  const refusal = ledger && ((task: Task) => ledger.refusal(task));
  return { running: true, paused, alive, most, executor, missing, backOffUntil, refusal, triaged };
}
