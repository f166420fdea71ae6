import { formatGuard, parseGuard } from '#core/graph/guard.js';
import type { CycleConfig, Guard } from '#core/graph/task.js';
import type { TemplateCycle } from './function.js';

/** The bounds of a template as the graph keeps them. */
export function cycleConfig({ guard, ...bounds }: TemplateCycle): CycleConfig {
  return { ...bounds, ...(guard === undefined ? {} : { guard: parseGuard(guard) }) };
}

/** The bounds of a task as a file has them; `change` may rename the task that the guard asks for. */
export function templateCycle({ guard, ...bounds }: CycleConfig, change: (guard: Guard) => Guard): TemplateCycle {
  return { ...bounds, ...(guard === undefined ? {} : { guard: formatGuard(change(guard)) }) };
}

/** The guard with the task it asks for renamed, when that is one of `known`; others are tasks of the graph around. */
export function mappedGuard(guard: Guard, known: ReadonlySet<string>, rename: (id: string) => string): Guard {
  if (typeof guard !== 'object' || !('TaskStatus' in guard)) return guard;
  const { task, status } = guard.TaskStatus;
  return known.has(task) ? { TaskStatus: { task: rename(task), status } } : guard;
}
