import type { Task } from '#core/graph/task.js';
import { isJsonObject } from '#kernel/json.js';

/** Runs of a task in a row that did not even begin, and why the last one did not. */
export interface FailedStarts {
  readonly count: number;
  readonly reason: string;
}

/** Undefined where there were none; what a hand wrote there in another form counts as none. */
export function failedStartsOf(task: Task): FailedStarts | undefined {
  const found = task['failed_starts'];
  if (!isJsonObject(found)) return undefined;
  const { count, reason } = found;
  return typeof count === 'number' && typeof reason === 'string' ? { count, reason } : undefined;
}
