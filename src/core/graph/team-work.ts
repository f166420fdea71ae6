// What the graph itself knows of the work of teams. Every command loads it: what is handed in stands in `deliverable.ts`.
import { TroupeError } from '#kernel/errors.js';
import { shellWord } from '#kernel/text.js';
import type { Task } from './task.js';
import { taskField, textField } from './task-field.js';

/** The task in which somebody was asked to review the work: while it waits for that, and no longer. */
export const REVIEW_TASK = taskField('review_task', textField);

/** Is it work that somebody on its team accepts? What only speaks about such work, or carries its talk, is not. */
export function isTeamTask(task: Task | undefined): task is Task & { readonly team: string; readonly verify: string } {
  return task?.team !== undefined && typeof task.verify === 'string' && !task.id.startsWith('.');
}

/** Work of a team that is nobody's yet: no claim is possible before a member takes it. */
export function isFreeWork(task: Task): boolean {
  return isTeamTask(task) && task.member === undefined && task.status === 'open';
}

/** Errors: `not_taken`. */
export function refuseFree(task: Task): void {
  if (!isFreeWork(task)) return;
  throw new TroupeError('not_taken', {
    what: `${task.id} is work of a team that no member has taken.`,
    hint: `A member takes it: \`troupe team take ${shellWord(task.id)}\`.`,
    details: { id: task.id, team: task.team ?? null },
  });
}
