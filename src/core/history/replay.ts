// Replay: selects tasks, partly by score, and reopens them without the results of their last attempt.

import { CONVERGED } from '#core/graph/cycle-decision.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import { isMeta } from '#core/graph/meta.js';
import { isTask, isTerminal, type NodeFields, type Task } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { JsonObject } from '#kernel/json.js';
import { numberOf } from '#kernel/numbers.js';
import { shellWord } from '#kernel/text.js';

/**
 * Selects the tasks to replay. At most one of `tasks`, `failed_only` and `below_score`; without any, all terminal
 * tasks.
 */
export interface ReplayFilter {
  readonly tasks?: readonly string[];
  readonly failed_only?: boolean;
  /** Scored tasks whose best score is lower, without internal tasks. */
  readonly below_score?: number;
  /** Ended tasks without a score are low as well. Needs `below_score`. */
  readonly unscored?: boolean;
  /** Only this task and its direct and indirect dependents. */
  readonly subgraph?: string;
  /** Done tasks with at least this score are kept unchanged. */
  readonly keep_done: number;
}

export interface ReplaySelection {
  readonly reset: readonly string[];
  readonly preserved: readonly string[];
}

/** Selects tasks, adds their dependents, then leaves out those whose score is good enough. */
export function pickForReplay(view: GraphView, filter: ReplayFilter, scores: Scores): ReplaySelection {
  checkFilter(filter);
  const within = filter.subgraph === undefined ? undefined : downstream(view, [taskOf(view, filter.subgraph).id]);
  const selection = (filter.tasks ?? allIds(view)).filter((id) => {
    const task = taskOf(view, id);
    if (within && !within.has(id)) return false;
    return filter.tasks !== undefined || isWanted(view, task, filter, scores);
  });
  // The coordinator scores work again after a replay for its score; other internal tasks are not repeated.
  const kept = (task: Task | undefined) => filter.below_score !== undefined && task !== undefined && isMeta(view, task);
  const reset = [...downstream(view, selection)].filter((id) => {
    if (kept(view.task(id))) return false;
    const good = view.task(id)?.status === 'done' && (scores.get(id) ?? Number.NEGATIVE_INFINITY) >= filter.keep_done;
    return !good;
  });
  const among = new Set(reset);
  return { reset: reset.sort(), preserved: allIds(view).filter((id) => !among.has(id)) };
}

function isWanted(view: GraphView, task: Task, filter: ReplayFilter, scores: Scores): boolean {
  if (filter.failed_only === true) return task.status === 'failed' || task.status === 'abandoned';
  if (filter.below_score === undefined) return isTerminal(task.status);
  const score = scores.get(task.id);
  const isLow = score === undefined ? filter.unscored === true && isTerminal(task.status) : score < filter.below_score;
  return isLow && !isMeta(view, task);
}

function checkFilter({ tasks, failed_only, below_score, unscored, keep_done }: ReplayFilter): void {
  const criteria = [tasks, failed_only === true ? true : undefined, below_score].filter((value) => value !== undefined);
  if (criteria.length > 1)
    throw new TroupeError('usage', { what: 'Use only one of --tasks, --failed-only and --below-score.' });
  if (unscored === true && below_score === undefined)
    throw new TroupeError('usage', { what: '--unscored requires --below-score.' });
  for (const score of [below_score, keep_done]) {
    if (score !== undefined && !(score >= 0 && score <= 1))
      throw new TroupeError('bad_input', { what: 'A score must be a number from 0 to 1.' });
  }
}

function allIds(view: GraphView): string[] {
  return [...view.nodes()]
    .filter(isTask)
    .map(({ id }) => id)
    .sort();
}

/** These tasks and all their dependents. A cycle is included as a whole, because its members depend on one another. */
function downstream(view: GraphView, ids: readonly string[]): Set<string> {
  const reached = new Set<string>();
  const open = [...ids];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id) || !view.task(id)) continue;
    reached.add(id);
    open.push(...view.dependents(id));
  }
  return reached;
}

/**
 * Resets the selected tasks as if they had never been attempted, in one commit. Errors: `task_running` while one of
 * them is in progress.
 */
export function replayTasks(
  view: GraphView,
  picked: ReplaySelection,
  options: { now: number; by: string; run: string; model?: string | undefined },
): Plan<undefined> {
  const tasks = picked.reset.map((id) => taskOf(view, id));
  refuseAtWork(tasks);
  const message = `Opened again by ${options.run}`;
  const entry = { timestamp: timestamp(options.now), actor: options.by, message };
  const events = tasks.flatMap((task): EventDraft[] => {
    const unset = executionFieldsOf(task);
    const tags = tagsAfresh(task);
    const set: NodeFields = {
      ...(task.status === 'open' ? {} : { status: 'open' }),
      ...(tags === undefined || tags.length === 0 ? {} : { tags }),
      ...(options.model === undefined || task.model === options.model ? {} : { model: options.model }),
    };
    if (tags?.length === 0) unset.push('tags');
    if (Object.keys(set).length === 0 && unset.length === 0) return []; // it never started
    const log = { log_at: task.log?.length ?? 0, log: [entry] };
    const patch = { id: task.id, set, ...(unset.length > 0 ? { unset } : {}), ...log };
    return [{ op: 'replay', task_id: task.id, actor: options.by, detail: { run: options.run }, patch: [patch] }];
  });
  return { events, result: undefined };
}

/** Refuses while one of these tasks is in progress or waiting. Errors: `task_running`. */
export function refuseAtWork(tasks: readonly Task[]): void {
  const busy = tasks.filter(({ status }) => status === 'in-progress' || status === 'waiting');
  if (busy.length === 0) return;
  const names = busy
    .slice(0, 5)
    .map(({ id, status, assigned }) => `${id} is ${status}${assigned ? ` (${assigned})` : ''}`);
  const more = busy.length > 5 ? ` and ${busy.length - 5} more` : '';
  throw new TroupeError('task_running', {
    what: `${names.join(', ')}${more}: nothing was changed.`,
    hint: `Wait for them, or release them: ${busy
      .slice(0, 5)
      .map(({ id }) => `\`troupe unclaim ${shellWord(id)}\``)
      .join(', ')}.`,
    details: { ids: busy.map(({ id }) => id) },
  });
}

/** Fields that one attempt or iteration leaves on a task, without its text, edges, settings, log and fence. */
export const EXECUTION_FIELDS: readonly string[] = [
  ...['assigned', 'started_at', 'completed_at', 'ready_after', 'failure_reason', 'session_id', 'token_usage'],
  ...['wait_condition', 'checkpoint', 'artifacts', 'retry_count', 'rejection_count', 'resurrection_count'],
  ...['last_resurrected_at', 'loop_iteration', 'last_iteration_completed_at', 'cycle_failure_restarts', 'cycle_ended'],
  ...['converge_on_done', 'deaths', 'failed_starts', 'misses', 'asked_to_report', 'reserve_next'],
];

/** Fields of this task that a reset removes. */
function executionFieldsOf(task: Task): string[] {
  return EXECUTION_FIELDS.filter((field) => fieldsOf(task)[field] !== undefined);
}

/** Tags after a reset; undefined if unchanged. */
function tagsAfresh(task: Task): string[] | undefined {
  return task.tags?.includes(CONVERGED) ? task.tags.filter((tag) => tag !== CONVERGED) : undefined;
}

/** Returns the task as if it had never been attempted. */
export function withoutExecution(task: Task): Task {
  const fields = new Set(executionFieldsOf(task));
  const rest = Object.fromEntries(Object.entries(task).filter(([field]) => !fields.has(field)));
  const tags = tagsAfresh(task);
  return { ...rest, status: 'open', ...(tags === undefined ? {} : { tags }) } as unknown as Task;
}

/** Best score by task id; unscored tasks are missing. */
export type Scores = ReadonlyMap<string, number>;

/** Computes each task's best score, from 0 to 1. Invalid evaluations are ignored. */
export function bestScores(evaluations: Iterable<JsonObject>): Scores {
  const best = new Map<string, number>();
  for (const { task_id: task, score } of evaluations) {
    if (typeof task !== 'string' || typeof score !== 'number' || !(score >= 0 && score <= 1)) continue;
    best.set(task, Math.max(score, numberOf(best, task)));
  }
  return best;
}
