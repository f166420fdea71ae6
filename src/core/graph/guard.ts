import { type Guard, STATUSES, type Status } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';

const TASK_STATUS = /^task:(?<task>[^=\s]+)=(?<status>[a-z-]+)$/;
const ITERATION = /^iteration<(?<most>\d{1,5})$/;

/** Parses a guard: `always`, `task:ID=STATUS` or `iteration<N`. Errors: `usage`. */
export function parseGuard(text: string): Guard {
  if (text === 'always') return 'Always';
  const most = ITERATION.exec(text)?.groups?.['most'];
  if (most !== undefined) return { IterationLessThan: Number(most) };
  const { task, status } = TASK_STATUS.exec(text)?.groups ?? {};
  if (task !== undefined && STATUSES.includes(status as Status))
    return { TaskStatus: { task, status: status as Status } };
  throw new TroupeError('usage', {
    what: `Not a guard: ${JSON.stringify(text.slice(0, 80))}`,
    hint: 'Write always, task:ID=STATUS or iteration<N.',
  });
}

/** Formats a guard for `parseGuard`. An unrecognised guard from a file is returned as JSON. */
export function formatGuard(guard: Guard | undefined): string {
  if (guard === undefined || guard === 'Always') return 'always';
  if (typeof guard === 'object' && 'TaskStatus' in guard)
    return `task:${guard.TaskStatus.task}=${guard.TaskStatus.status}`;
  if (typeof guard === 'object' && 'IterationLessThan' in guard) return `iteration<${guard.IterationLessThan}`;
  return JSON.stringify(guard);
}

/** Whether the guard permits another iteration. A missing task has no status; an unreadable guard permits none. */
export function guardHolds(view: GraphView, guard: Guard | undefined, iteration: number): boolean {
  if (guard === undefined || guard === 'Always') return true;
  if (typeof guard !== 'object' || guard === null) return false;
  if ('TaskStatus' in guard) return view.task(guard.TaskStatus.task)?.status === guard.TaskStatus.status;
  return 'IterationLessThan' in guard && iteration < guard.IterationLessThan;
}

/** Whether the guard waits for this member to fail: then the failure is an outcome of the cycle, not a crash. */
export function guardNamesFailure(guard: Guard | undefined, id: string): boolean {
  if (typeof guard !== 'object' || guard === null || !('TaskStatus' in guard)) return false;
  return guard.TaskStatus.task === id && guard.TaskStatus.status === 'failed';
}
