// Tasks that are done again: which, by what scores, and what of their last try is taken away.

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

/** Which tasks are to be done again. Of `tasks`, `failed_only` and `below_score` one at most; without any: all that ended. */
export interface ReplayFilter {
  readonly tasks?: readonly string[];
  readonly failed_only?: boolean;
  /** Scored tasks whose best score is lower, without tasks about other tasks. */
  readonly below_score?: number;
  /** Only this task and those that come after it, by whatever way. */
  readonly subgraph?: string;
  /** Done tasks with a score of at least this much stay as they are. */
  readonly keep_done: number;
}

export interface ReplaySelection {
  readonly reset: readonly string[];
  readonly preserved: readonly string[];
}

/** Chooses, then adds all that comes after the chosen, then leaves out what is good enough. */
export function pickForReplay(view: GraphView, filter: ReplayFilter, scores: Scores): ReplaySelection {
  checkFilter(filter);
  const within = filter.subgraph === undefined ? undefined : downstream(view, [taskOf(view, filter.subgraph).id]);
  const selection = (filter.tasks ?? allIds(view)).filter((id) => {
    const task = taskOf(view, id);
    if (within && !within.has(id)) return false;
    return filter.tasks !== undefined || isWanted(view, task, filter, scores);
  });
  // Work that is done again for its score is scored again by the coordinator; nothing else about it is repeated.
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
  return score !== undefined && score < filter.below_score && !isMeta(view, task);
}

function checkFilter({ tasks, failed_only, below_score, keep_done }: ReplayFilter): void {
  const criteria = [tasks, failed_only === true ? true : undefined, below_score].filter((value) => value !== undefined);
  if (criteria.length > 1)
    throw new TroupeError('usage', { what: 'Use only one of --tasks, --failed-only and --below-score.' });
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

/** These tasks and all that come after them; a cycle is among them whole, because its members come after one another. */
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

/** Opens the picked tasks as if they had never been tried, all in one commit. `task_running` while one of them is at work. */
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
    if (Object.keys(set).length === 0 && unset.length === 0) return []; // it never began
    const log = { log_at: task.log?.length ?? 0, log: [entry] };
    const patch = { id: task.id, set, ...(unset.length > 0 ? { unset } : {}), ...log };
    return [{ op: 'replay', task_id: task.id, actor: options.by, detail: { run: options.run }, patch: [patch] }];
  });
  return { events, result: undefined };
}

/** Refuses while somebody works on one of these, or waits to go on. */
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

/** What one try, or one going round of a cycle, leaves on a task. Its text, edges, settings, log and fence are not among it. */
export const EXECUTION_FIELDS: readonly string[] = [
  ...['assigned', 'started_at', 'completed_at', 'ready_after', 'failure_reason', 'session_id', 'token_usage'],
  ...['wait_condition', 'checkpoint', 'artifacts', 'retry_count', 'rejection_count', 'resurrection_count'],
  ...['last_resurrected_at', 'loop_iteration', 'last_iteration_completed_at', 'cycle_failure_restarts', 'cycle_ended'],
  ...['converge_on_done', 'deaths', 'failed_starts', 'misses', 'asked_to_report', 'reserve_next'],
];

const CONVERGED = 'converged';

/** The fields of this task that a fresh start takes away. */
function executionFieldsOf(task: Task): string[] {
  return EXECUTION_FIELDS.filter((field) => fieldsOf(task)[field] !== undefined);
}

/** The tags a fresh start leaves; undefined when that is all of them. */
function tagsAfresh(task: Task): string[] | undefined {
  return task.tags?.includes(CONVERGED) ? task.tags.filter((tag) => tag !== CONVERGED) : undefined;
}

/** The task as if it had never been tried. */
export function withoutExecution(task: Task): Task {
  const fields = new Set(executionFieldsOf(task));
  const rest = Object.fromEntries(Object.entries(task).filter(([field]) => !fields.has(field)));
  const tags = tagsAfresh(task);
  return { ...rest, status: 'open', ...(tags === undefined ? {} : { tags }) } as unknown as Task;
}

/** Best score by task id; a task nobody scored has none. */
export type Scores = ReadonlyMap<string, number>;

/** The best score of each task, from 0 to 1, that evaluations give it. What is no evaluation says nothing. */
export function bestScores(evaluations: Iterable<JsonObject>): Scores {
  const best = new Map<string, number>();
  for (const { task_id: task, score } of evaluations) {
    if (typeof task !== 'string' || typeof score !== 'number' || !(score >= 0 && score <= 1)) continue;
    best.set(task, Math.max(score, numberOf(best, task)));
  }
  return best;
}
