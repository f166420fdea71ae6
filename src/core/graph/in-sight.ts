import { ABOUT, isHiddenTask } from './meta.js';
import { isTask, STATUSES, type Status, type Task } from './task.js';
import type { GraphView, TaskOutline } from './view.js';

/** Whether a task is listed. The whole task is read only if its id may be that of an internal task. */
export function isOutlineInSight(view: GraphView, { id }: TaskOutline): boolean {
  const mayBeMeta = id.startsWith('.') || ABOUT.some((prefix) => id.startsWith(prefix));
  const task = mayBeMeta ? view.task(id) : undefined;
  return task === undefined || !isHiddenTask(view, task);
}

/** Number of listed tasks in each status. */
export function countsInSight(view: GraphView, outlines: Iterable<TaskOutline>): Record<Status, number> {
  const counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>;
  for (const outline of outlines) if (isOutlineInSight(view, outline)) counts[outline.status]++;
  return counts;
}

/** All tasks except hidden internal ones. */
export function* tasksInSight(view: GraphView): Generator<Task> {
  for (const node of view.nodes()) if (isTask(node) && !isHiddenTask(view, node)) yield node;
}
