// What the graph itself knows of the work of teams. Every command loads it: what is handed in stands in `deliverable.ts`.
import type { Task } from './task.js';
import { taskField, text } from './task-field.js';

/** The task in which somebody was asked to review the work: while it waits for that, and no longer. */
export const REVIEW_TASK = taskField('review_task', text);

/** Is it work that somebody on its team accepts? What only speaks about such work, or carries its talk, is not. */
export function isTeamTask(task: Task | undefined): task is Task & { readonly team: string; readonly verify: string } {
  return task?.team !== undefined && typeof task.verify === 'string' && !task.id.startsWith('.');
}
