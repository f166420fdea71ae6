import { CONVERGED } from '#core/graph/cycle-decision.js';
import type { Patch } from '#core/graph/event.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';

export interface Convergence {
  /** For the header, when that is another task. */
  readonly patch: readonly Patch[];
  /** For the task itself. */
  readonly tags?: readonly string[];
  readonly warning?: string;
}

/** What `--converged` on a member does: a tag on the header of the innermost cycle around it, if that listens. */
export function convergedPatch(view: GraphView, task: Task): Convergence {
  const cycle = view.mayIterate() ? view.cyclesOf(task.id).findLast((around) => around.configured) : undefined;
  if (!cycle) return { patch: [], warning: `${task.id} is in no cycle that goes round: --converged changes nothing.` };
  if (cycle.config?.no_converge === true) {
    return {
      patch: [],
      warning: `The cycle of ${cycle.header} does not end early (no_converge): --converged changes nothing.`,
    };
  }
  const tags = view.task(cycle.header)?.tags ?? [];
  if (tags.includes(CONVERGED)) return { patch: [] };
  if (cycle.header === task.id) return { patch: [], tags: [...tags, CONVERGED] };
  return { patch: [{ id: cycle.header, set: { tags: [...tags, CONVERGED] } }] };
}
