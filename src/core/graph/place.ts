import type { Patch } from '#core/graph/event.js';
import { isTerminal } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';

/**
 * `--place-before`: the new task joins the predecessors of those named. What has begun or is over cannot wait for it any
 * more and is left alone, with a warning; a task nobody knows is warned of too.
 */
export function placedBefore(
  view: GraphView,
  id: string,
  named: readonly string[] = [],
): { patch: Patch[]; warnings: string[] } {
  const patch: Patch[] = [];
  const warnings: string[] = [];
  for (const later of new Set(named)) {
    const task = view.task(later);
    if (!task) warnings.push(`There is no task ${later}: nothing was placed before it.`);
    else if (isTerminal(task.status) || task.status === 'in-progress' || task.status === 'pending-validation')
      warnings.push(`${later} is ${task.status}: it does not wait for ${id}.`);
    else if (!task.after?.includes(id)) patch.push({ id: later, set: { after: [...(task.after ?? []), id] } });
  }
  return { patch, warnings };
}
