// Basic rules of team tasks. Every command loads this module; deliverables are in `deliverable.ts`.
import { TroupeError } from '#kernel/errors.js';
import { shellWord } from '#kernel/text.js';
import type { Task } from './task.js';
import { taskField, textField } from './task-field.js';

/** Id of the task in which a review of this work was requested; set only while the review is pending. */
export const REVIEW_TASK = taskField('review_task', textField);

/** Whether this is team work that needs acceptance. Internal tasks about it, such as conversations, are not. */
export function isTeamTask(task: Task | undefined): task is Task & { readonly team: string; readonly verify: string } {
  return task?.team !== undefined && typeof task.verify === 'string' && !task.id.startsWith('.');
}

/** Whether this is team work without a member: it cannot be claimed until a member takes it. */
export function isFreeWork(task: Task): boolean {
  return isTeamTask(task) && task.member === undefined && task.status === 'open';
}

/** Refuses a claim of free work. Errors: `not_taken`. */
export function refuseFree(task: Task): void {
  if (!isFreeWork(task)) return;
  throw new TroupeError('not_taken', {
    what: `${task.id} is work of a team that no member has taken.`,
    hint: `A member takes it: \`troupe team tasks ${shellWord(task.id)} --take\`.`,
    details: { id: task.id, team: task.team ?? null },
  });
}
