import type { Entry } from '#core/graph/event.js';
import type { Task } from '#core/graph/task.js';
import type { JsonObject } from '#kernel/json.js';
import { actorKind } from './actor.js';
import type { TreeNode } from './trace-tree.js';
import { watchEvent } from './watch-event.js';

/** One operation in the history of a task. */
export interface TraceOperation {
  readonly seq: number;
  readonly timestamp: string;
  readonly op: string;
  readonly actor?: string;
  readonly detail: JsonObject;
}

/** The entries that touched a task, in order. */
export function entriesOf(entries: Iterable<Entry>, touches: (id: string) => boolean): Entry[] {
  const found: Entry[] = [];
  for (const entry of entries) {
    const own = entry.task_id !== undefined && touches(entry.task_id);
    if (own || entry.patch.some((patch) => touches(patch.id))) found.push(entry);
  }
  return found;
}

export function operationOf(entry: Entry, task: string): TraceOperation {
  const own = entry.patch.filter((patch) => patch.id === task);
  const about = entry.task_id === task ? entry : { ...entry, task_id: task, patch: own };
  const { op: _op, actor: _actor, ...detail } = watchEvent(about).data;
  return {
    seq: entry.seq,
    timestamp: entry.timestamp,
    op: entry.op,
    ...(entry.actor === undefined ? {} : { actor: entry.actor }),
    detail,
  };
}

/** The runs that were started for a task, in order, each with the moment it was. */
export function runsStarted(entries: Iterable<Entry>, task: string): { run: string; timestamp: string }[] {
  const runs: { run: string; timestamp: string }[] = [];
  for (const entry of entries) {
    if (entry.op !== 'spawn_agent' || entry.task_id !== task) continue;
    const run = entry.detail?.['run'] ?? entry.actor;
    if (typeof run === 'string') runs.push({ run, timestamp: entry.timestamp });
  }
  return runs;
}

/** How often a person laid hands on work: every operation of a person but the making of a task. */
export function humanInterventions(entries: Iterable<Entry>): number {
  let count = 0;
  for (const entry of entries) if (entry.op !== 'add_task' && actorKind(entry) === 'human') count++;
  return count;
}

/** Seconds from the first to the last of two moments; null while one is missing. */
export function secondsBetween(from: string | undefined, to: string | undefined): number | null {
  const milliseconds = Date.parse(to ?? '') - Date.parse(from ?? '');
  return Number.isFinite(milliseconds) ? Math.max(0, Math.round(milliseconds)) / 1_000 : null;
}

export interface TreeTotals {
  readonly tasks: number;
  /** Seconds from the first start to the last end; null when nothing has both. */
  readonly wall_clock_seconds: number | null;
  /** Seconds of all tasks added up: more than the wall clock where work went side by side. */
  readonly work_seconds: number;
  readonly runs: number;
  readonly human_interventions: number;
}

export function totalsOf(tree: readonly TreeNode[], entries: readonly Entry[]): TreeTotals {
  let [first, last]: [string | undefined, string | undefined] = [undefined, undefined];
  let work = 0;
  for (const { task } of tree) {
    const { started_at: start, completed_at: end } = task;
    if (start !== undefined && (first === undefined || Date.parse(start) < Date.parse(first))) first = start;
    if (end !== undefined && (last === undefined || Date.parse(end) > Date.parse(last))) last = end;
    work += workedSeconds(task) ?? 0;
  }
  return {
    tasks: tree.length,
    wall_clock_seconds: secondsBetween(first, last),
    work_seconds: Math.round(work * 1_000) / 1_000,
    runs: entries.filter((entry) => entry.op === 'spawn_agent').length,
    human_interventions: humanInterventions(entries),
  };
}

/** How long a task was worked on, from its last start to its end. */
export function workedSeconds(task: Task): number | null {
  return secondsBetween(task.started_at, task.completed_at);
}
