import type { Task } from '#core/graph/task.js';
import { anything, flag, taskField } from '#core/graph/task-field.js';

const UNMERGED = taskField('unmerged', flag);
const CONFLICT_BRANCH = taskField('conflict_branch', anything);
const FRESH_FROM = taskField('fresh_from', anything);

/** Could the work of its last attempt not be merged, so that a person has to say what becomes of it? */
export function isUnmerged(task: Task): boolean {
  return UNMERGED.of(task) === true;
}

/** Does it wait because its work and what was merged meanwhile changed the same lines? */
export function isConflict(task: Task): boolean {
  return isUnmerged(task) && CONFLICT_BRANCH.of(task) !== undefined;
}

/** The branch of an earlier attempt that did not fit, as people write it; undefined when there is none, or a person still looks at it. */
export function branchLeftAside(task: Task): string | undefined {
  const branch = CONFLICT_BRANCH.of(task);
  return typeof branch === 'string' && !isUnmerged(task) ? branch : undefined;
}

/** The first attempt whose work a later one may go on from; undefined when none is left aside. */
export function beginsAfresh(task: Task): number | undefined {
  const from = FRESH_FROM.of(task);
  return typeof from === 'number' && Number.isSafeInteger(from) ? from : undefined;
}

/** Leaves the work of all attempts until now aside. */
export function afresh(task: Task): { readonly fresh_from: number } {
  return { fresh_from: (task.fence ?? 0) + 1 };
}
