import type { Task } from '#core/graph/task.js';
import { anything, taskField } from '#core/graph/task-field.js';
import { isJsonObject } from '#kernel/json.js';

const FAILED_STARTS = taskField('failed_starts', anything);

/** Runs of a task in a row that did not even begin, and why the last one did not. */
export interface FailedStarts {
  readonly count: number;
  readonly reason: string;
}

/** Undefined where there were none; what a hand wrote there in another form counts as none. */
export function failedStartsOf(task: Task): FailedStarts | undefined {
  const found = FAILED_STARTS.of(task);
  if (!isJsonObject(found)) return undefined;
  const { count, reason } = found;
  return typeof count === 'number' && typeof reason === 'string' ? { count, reason } : undefined;
}
