import { isTerminal, STATUSES } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import type { BaseDecision, Part } from './tick.js';

/** Whether every task is terminal; false for a graph without tasks. */
export function isComplete(view: GraphView): boolean {
  const count = (terminal: boolean) =>
    STATUSES.reduce((sum, status) => sum + (isTerminal(status) === terminal ? view.count(status) : 0), 0);
  return count(false) === 0 && count(true) > 0;
}

export interface WithCompletion {
  /** The completion was announced before, or happened before the service started. */
  readonly completed: boolean;
}

interface CompletionDecision extends BaseDecision {
  readonly do: 'note';
  readonly note: 'project-complete';
}

/** Phase 5: announces completion, once. */
export const completion: Part<WithCompletion, CompletionDecision> = {
  none: { completed: true },
  decide: ({ facts, graph, want }) => {
    if (facts.completed || !isComplete(graph)) return;
    want({ do: 'note', note: 'project-complete', reason: 'Every task has ended', events: [] });
  },
};
