// What the attempts at a task leave on it: the last run, failed starts, work that was not merged, what they used.
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import { plural } from '#kernel/text.js';
import type { Status, Task } from './task.js';
import { anything, flagField, record, taskField } from './task-field.js';

const LAST_RUN = taskField('last_run', anything);

/** The last run of a client at a task. */
export interface LastRun {
  readonly run: string;
  /** The pass of its cycle. */
  readonly iteration: number;
  /** The claim as whose follower the next attempt goes on in its worktree; undefined when it ended its task. */
  readonly goesOn?: number;
  /** Another role has the task now: it goes on in the worktree, in a session of its own. */
  readonly sessionOver?: true;
}

export function lastRunOf(task: Task): LastRun | undefined {
  const value = LAST_RUN.of(task);
  if (!isJsonObject(value) || typeof value['run'] !== 'string') return undefined;
  const { run, iteration, goes_on: goesOn, session_over: isOver } = value;
  return {
    ...{ run, iteration: Number(iteration) },
    ...(typeof goesOn === 'number' ? { goesOn } : {}),
    ...(isOver === true ? { sessionOver: true } : {}),
  };
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
  return lastRunWith(last, task.fence ?? 0, last.sessionOver);
}

/** Keeps the worktree of the last run for the next attempt, and not its session: another role takes over. */
export function otherSession(task: Task): JsonObject {
  const last = lastRunOf(task);
  return last === undefined ? {} : lastRunWith(last, last.goesOn, true);
}

function lastRunWith(
  { run, iteration }: LastRun,
  goesOn: number | undefined,
  sessionOver: true | undefined,
): JsonObject {
  return {
    last_run: {
      ...{ run, iteration },
      ...(goesOn === undefined ? {} : { goes_on: goesOn }),
      ...(sessionOver === undefined ? {} : { session_over: true }),
    },
  };
}

/** The run in whose worktree the next attempt goes on; undefined when somebody else had the task since, or it was ended. */
export function goesOnFrom(task: Task): string | undefined {
  const last = lastRunOf(task);
  if (task.status !== 'open' && task.status !== 'waiting') return undefined;
  return last?.goesOn === task.fence && last?.iteration === (task.loop_iteration ?? 0) ? last.run : undefined;
}

/**
 * `max_retries` is how many attempts may follow the first; `retry_count` counts attempts that failed or died. Whether one more may
 * follow after so many.
 */
export function allowsAnother(task: Task, failures: number = task.retry_count ?? 0): boolean {
  return task.max_retries === undefined || failures <= task.max_retries;
}

/** For a sentence that says why there is no other: `only 2 further attempts were allowed`. */
export function allowance({ max_retries: most = 0 }: Task): string {
  if (most === 0) return 'no further attempt was allowed';
  return `only ${plural(most, 'further attempt')} ${most === 1 ? 'was' : 'were'} allowed`;
}

const FAILED_STARTS = taskField('failed_starts', anything);

/** Runs of a task in a row that did not even begin, and why the last one did not. */
export interface FailedStarts {
  readonly count: number;
  readonly reason: string;
}

/** Undefined where there were none; what a hand wrote there in another form counts as none. */
export function failedStartsOf(task: Task): FailedStarts | undefined {
  const value = FAILED_STARTS.of(task);
  if (!isJsonObject(value)) return undefined;
  const { count, reason } = value;
  return typeof count === 'number' && typeof reason === 'string' ? { count, reason } : undefined;
}

const UNMERGED = taskField('unmerged', flagField);
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

const MERGED = taskField('merged', anything);

/** The commit by which its work was taken over last; undefined where none was. */
export function mergedOf(task: Task): string | undefined {
  const commit = MERGED.of(task);
  return typeof commit === 'string' ? commit : undefined;
}

/** What all attempts at a task used: tokens by kind, and `cost_usd`. */
export const TOKEN_USAGE = taskField('token_usage', record);

/** How much of one kind that was; 0 where nothing says it. */
export function usageOf(task: Task, field: string): number {
  const usage = TOKEN_USAGE.of(task);
  const value = typeof usage === 'object' && usage !== null ? (usage as Record<string, unknown>)[field] : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
