import { findCycles } from '#core/graph/cycles.js';
import type { Task } from '#core/graph/task.js';
import type { TaskTemplate } from './function.js';
import { cycleConfig } from './template-cycle.js';

/** The templates work begins with: those after nothing, and the header of a cycle that nothing leads into. */
export function rootsOf(tasks: readonly TaskTemplate[]): string[] {
  const afterOf = new Map(tasks.map((task) => [task.template_id, task.after ?? []]));
  const roots = tasks.filter((task) => (task.after ?? []).length === 0).map((task) => task.template_id);
  for (const cycle of findCycles(tasks.map(asTask)).byHeader.values()) {
    if (cycle.parent !== undefined) continue;
    const inside = new Set(cycle.members);
    const entered = cycle.members.some((id) => afterOf.get(id)?.some((before) => !inside.has(before)));
    if (!entered) roots.push(cycle.header);
  }
  return roots;
}

function asTask({ template_id: id, title, after, cycle }: TaskTemplate): Task {
  const bounds = cycle ? { cycle_config: cycleConfig(cycle) } : {};
  return { kind: 'task', id, title, status: 'open', after: after ?? [], ...bounds };
}
