import { type Coordination, NO_COORDINATION } from '#core/analysis/coordination.js';
import { Ledger } from '#core/coordinator/budget.js';
import { mayStart, Ownership } from '#core/coordinator/sessions.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import type { Context } from '#operations/operation.js';

/** What the coordinator of this process says; where there is none, no other process has one either, or it would be asked. */
export function coordinationIn(context: Context, view?: GraphView): Coordination {
  const facts = context.coordinator?.();
  if (!facts) return NO_COORDINATION;
  const { paused, alive, maxAgents: most, executor, missing, backOffUntil, budget, triaged, sessions } = facts;
  const ledger = budget && new Ledger(budget);
  const refusal = ledger && ((task: Task) => ledger.refusal(task));
  const ownership = sessions && view && new Ownership(view, sessions);
  const pausedSession =
    ownership &&
    ((task: Task) => {
      const owner = sessions.find(({ id }) => id === ownership.ownerOf(task));
      return owner && !mayStart(owner) ? String(owner.id) : undefined;
    });
  return { running: true, paused, alive, most, executor, missing, backOffUntil, refusal, triaged, pausedSession };
}
