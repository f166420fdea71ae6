import type { Status, Task } from '#core/graph/task.js';
import { anything, taskField } from '#core/graph/task-field.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';

const LAST_RUN = taskField('last_run', anything);

/** The last run of a client at a task. */
export interface LastRun {
  readonly run: string;
  /** The pass of its cycle. */
  readonly iteration: number;
  /** The claim as whose follower the next attempt goes on in its worktree; undefined when it ended its task. */
  readonly goesOn?: number;
}

export function lastRunOf(task: Task): LastRun | undefined {
  const found = LAST_RUN.of(task);
  if (!isJsonObject(found) || typeof found['run'] !== 'string') return undefined;
  const { run, iteration, goes_on: goesOn } = found;
  return { run, iteration: Number(iteration), ...(typeof goesOn === 'number' ? { goesOn } : {}) };
}

/** What stands on a task of a run that is over. One that left its task open or waiting is gone on with where it worked. */
export function lastRunField(task: Task, run: string, status: Status): JsonObject {
  const iteration = task.loop_iteration ?? 0;
  const goesOn = status === 'open' || status === 'waiting';
  return { last_run: { run, iteration, ...(goesOn ? { goes_on: task.fence ?? 0 } : {}) } };
}

/** The same for a claim under which no run began: the one before it still is the last. */
export function lastRunStays(task: Task): JsonObject {
  const last = lastRunOf(task);
  if (last?.goesOn === undefined || last.goesOn !== (task.fence ?? 0) - 1) return {};
  return { last_run: { run: last.run, iteration: last.iteration, goes_on: task.fence ?? 0 } };
}

/** The run in whose worktree the next attempt goes on; undefined when somebody else had the task since, or it was ended. */
export function goesOnFrom(task: Task): string | undefined {
  const last = lastRunOf(task);
  if (task.status !== 'open' && task.status !== 'waiting') return undefined;
  return last?.goesOn === task.fence && last?.iteration === (task.loop_iteration ?? 0) ? last.run : undefined;
}
