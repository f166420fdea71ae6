// Task fields that attempts leave behind: the last run, failed starts, unmerged work, token usage.
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import { plural } from '#kernel/text.js';
import type { Status, Task } from './task.js';
import { anything, flagField, record, taskField } from './task-field.js';

const LAST_RUN = taskField('last_run', anything);

/** The last run of a client on a task. */
export interface LastRun {
  readonly run: string;
  /** Iteration of its cycle in which the run took place. */
  readonly iteration: number;
  /** Fence at which the next attempt continues in the run's worktree; undefined if the run ended its task. */
  readonly goesOn?: number;
  /** Another role has taken over: it continues in the worktree, but in a new session. */
  readonly sessionOver?: true;
}

export function lastRunOf(task: Task): LastRun | undefined {
  const value = LAST_RUN.of(task);
  if (!isJsonObject(value) || typeof value['run'] !== 'string') return undefined;
  const { run, iteration, goes_on: goesOn, session_over: isOver } = value;
  return {
    run,
    iteration: Number(iteration),
    ...(typeof goesOn === 'number' ? { goesOn } : {}),
    ...(isOver === true ? { sessionOver: true } : {}),
  };
}

/**
 * The `last_run` field after a run has ended. If the task stays open or waiting, the next attempt continues in the
 * run's worktree.
 */
export function lastRunField(task: Task, run: string, status: Status): JsonObject {
  const iteration = task.loop_iteration ?? 0;
  const goesOn = status === 'open' || status === 'waiting';
  return { last_run: { run, iteration, ...(goesOn ? { goes_on: task.fence ?? 0 } : {}) } };
}

/** The `last_run` field for a claim under which no run began: the previous run stays the last one. */
export function keptLastRunField(task: Task): JsonObject {
  const last = lastRunOf(task);
  if (last?.goesOn === undefined || last.goesOn !== (task.fence ?? 0) - 1) return {};
  return lastRunWith(last, task.fence ?? 0, last.sessionOver);
}

/** Keeps the worktree of the last run for the next attempt, but not its session: another role takes over. */
export function newSessionField(task: Task): JsonObject {
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
      run,
      iteration,
      ...(goesOn === undefined ? {} : { goes_on: goesOn }),
      ...(sessionOver === undefined ? {} : { session_over: true }),
    },
  };
}

/**
 * Returns the run whose worktree the next attempt continues in; undefined if the task was claimed by another since, or
 * has ended.
 */
export function continuedRun(task: Task): string | undefined {
  const last = lastRunOf(task);
  if (task.status !== 'open' && task.status !== 'waiting') return undefined;
  return last?.goesOn === task.fence && last?.iteration === (task.loop_iteration ?? 0) ? last.run : undefined;
}

/**
 * Whether another attempt is allowed after this many failures. `max_retries` is how many attempts may follow the first;
 * `retry_count` counts attempts that failed or died.
 */
export function allowsAnother(task: Task, failures: number = task.retry_count ?? 0): boolean {
  return task.max_retries === undefined || failures <= task.max_retries;
}

/** Phrase for a message that explains why there is no further attempt: `only 2 further attempts were allowed`. */
export function allowance({ max_retries: most = 0 }: Task): string {
  if (most === 0) return 'no further attempt was allowed';
  return `only ${plural(most, 'further attempt')} ${most === 1 ? 'was' : 'were'} allowed`;
}

const FAILED_STARTS = taskField('failed_starts', anything);

/** Number of consecutive runs of a task that failed to start, and the reason of the last failure. */
export interface FailedStarts {
  readonly count: number;
  readonly reason: string;
}

/** Undefined if there were none. A hand-edited value of another form counts as none. */
export function failedStartsOf(task: Task): FailedStarts | undefined {
  const value = FAILED_STARTS.of(task);
  if (!isJsonObject(value)) return undefined;
  const { count, reason } = value;
  return typeof count === 'number' && typeof reason === 'string' ? { count, reason } : undefined;
}

const UNMERGED = taskField('unmerged', flagField);
const CONFLICT_BRANCH = taskField('conflict_branch', anything);
const FRESH_FROM = taskField('fresh_from', anything);

/** Whether the work of the last attempt could not be merged, so a person has to decide about it. */
export function isUnmerged(task: Task): boolean {
  return UNMERGED.of(task) === true;
}

/** Whether the task waits because of a merge conflict between its work and work merged meanwhile. */
export function isConflict(task: Task): boolean {
  return isUnmerged(task) && CONFLICT_BRANCH.of(task) !== undefined;
}

/**
 * Name of the branch of an earlier attempt that conflicted and was set aside; undefined if there is none or a person
 * has yet to decide.
 */
export function setAsideBranch(task: Task): string | undefined {
  const branch = CONFLICT_BRANCH.of(task);
  return typeof branch === 'string' && !isUnmerged(task) ? branch : undefined;
}

/** The first attempt whose work a later one may build on; undefined if no work was set aside. */
export function firstUsableFence(task: Task): number | undefined {
  const from = FRESH_FROM.of(task);
  return typeof from === 'number' && Number.isSafeInteger(from) ? from : undefined;
}

/** Sets the work of all attempts so far aside. */
export function setAsideAllWork(task: Task): { readonly fresh_from: number } {
  return { fresh_from: (task.fence ?? 0) + 1 };
}

const MERGED = taskField('merged', anything);

/** The commit that last merged the task's work; undefined if none did. */
export function mergedOf(task: Task): string | undefined {
  const commit = MERGED.of(task);
  return typeof commit === 'string' ? commit : undefined;
}

/** Total usage of all attempts at a task: tokens by kind, and `cost_usd`. */
export const TOKEN_USAGE = taskField('token_usage', record);

/** Usage of one kind; 0 if not recorded. */
export function usageOf(task: Task, field: string): number {
  const usage = TOKEN_USAGE.of(task);
  const value = typeof usage === 'object' && usage !== null ? (usage as Record<string, unknown>)[field] : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
