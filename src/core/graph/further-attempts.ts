import type { Task } from '#core/graph/task.js';
import { plural } from '#kernel/text.js';

/**
 * `max_retries` is how many attempts may follow the first; `retry_count` counts attempts that failed or died. Whether one more may
 * follow after so many.
 */
export function allowsAnother(task: Task, failures: number = task.retry_count ?? 0): boolean {
  return task.max_retries === undefined || failures <= task.max_retries;
}

/** For a sentence that says why there is no other: `2 further attempts were allowed`. */
export function allowance({ max_retries: most = 0 }: Task): string {
  return `${plural(most, 'further attempt')} ${most === 1 ? 'was' : 'were'} allowed`;
}

/** The command by which a failed task is taken up again: a person may do it however often it failed. */
export function againCommand(task: Task): 'retry' | 'reopen' {
  return allowsAnother(task) ? 'retry' : 'reopen';
}
