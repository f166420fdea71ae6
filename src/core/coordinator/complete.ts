import type { Tick } from '#core/coordinator/tick.js';
import { isTerminal, STATUSES } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';

/** Has every task ended? Not of a graph without tasks. */
export function isComplete(view: GraphView): boolean {
  const count = (terminal: boolean) =>
    STATUSES.reduce((sum, status) => sum + (isTerminal(status) === terminal ? view.count(status) : 0), 0);
  return count(false) === 0 && count(true) > 0;
}

/** Phase 5: once all is over, that is said, once. */
export function complete(tick: Tick): void {
  if (tick.snapshot.completed !== false || !isComplete(tick.graph)) return;
  tick.decisions.push({
    do: 'note',
    note: 'project-complete',
    reason: 'Every task has ended',
    events: [],
  });
}
