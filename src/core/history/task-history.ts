// History of a task and its descendants, from the log: tree, operations, actors, times.
import * as z from 'zod/mini';
import type { Entry } from '#core/graph/event.js';
import { type Evidence, evidenceIn } from '#core/graph/evidence.js';
import { isRunName } from '#core/graph/run-name.js';
import { isTask, type NodeFields, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import { watchEvent } from './watch-event.js';

export const traceOperationShape = z.object({
  seq: z.number(),
  timestamp: z.string(),
  op: z.string(),
  actor: z.optional(z.string()),
  detail: z.record(z.string(), z.unknown()),
});
export type TraceOperation = z.infer<typeof traceOperationShape>;

/** Entries that touched a task, in order. */
export function entriesOf(entries: Iterable<Entry>, touches: (id: string) => boolean): Entry[] {
  const entriesOfTasks: Entry[] = [];
  for (const entry of entries) {
    const own = entry.task_id !== undefined && touches(entry.task_id);
    if (own || entry.patch.some((patch) => touches(patch.id))) entriesOfTasks.push(entry);
  }
  return entriesOfTasks;
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

/** Usage of a run as logged: tokens, and US dollars. */
export interface LoggedUsage {
  readonly cost_usd?: number;
  readonly estimated_usd?: number;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
}

export interface LoggedRun {
  readonly run: string;
  /** Start time. */
  readonly timestamp: string;
  readonly executor?: string;
  /** Set once the run is settled: end, outcome, and usage as reported by its client. */
  readonly ended_at?: string;
  readonly outcome?: string;
  readonly usage?: LoggedUsage;
  /** Number of the attempt at the task. */
  readonly attempt?: number;
  /** Evidence that was recorded after it, until the next run. */
  readonly evidence?: Evidence;
  /** Decision about its work: the last one before the next run. */
  readonly verdict?: LoggedVerdict;
}

export const loggedVerdictShape = z.object({
  by: z.string(),
  at: z.string(),
  approved: z.boolean(),
  reason: z.optional(z.string()),
});
export type LoggedVerdict = z.infer<typeof loggedVerdictShape>;

/** Runs of one task, from the entries that touch it, in order. */
class RunsOfTask {
  private readonly task: string;
  private readonly runs = new Map<string, LoggedRun>();
  private fence: number | undefined;
  private latest: string | undefined;

  constructor(task: string) {
    this.task = task;
  }

  add(entry: Entry): void {
    const { task, runs, latest } = this;
    const set = changedFields(entry, task);
    if (typeof set['fence'] === 'number') this.fence = set['fence'];
    const judged = latest === undefined ? undefined : runs.get(latest);
    if (judged !== undefined) runs.set(judged.run, { ...judged, ...judgement(entry, set, task) });
    if (entry.task_id !== task) return;
    const run = entry.detail?.['run'] ?? entry.actor;
    if (typeof run !== 'string') return;
    const { executor, outcome, usage } = entry.detail ?? {};
    const known = typeof executor === 'string' ? { executor } : {};
    if (entry.op === 'spawn_agent') {
      this.latest = run;
      const numbered = this.fence === undefined ? {} : { attempt: this.fence };
      runs.set(run, { run, timestamp: entry.timestamp, ...known, ...numbered });
    }
    const before = runs.get(run);
    if (entry.op !== 'agent_complete' || before === undefined) return;
    runs.set(run, {
      ...before,
      ...known,
      ended_at: entry.timestamp,
      ...(typeof outcome === 'string' ? { outcome } : {}),
      ...(isJsonObject(usage) ? { usage: usageIn(usage) } : {}),
    });
  }

  all(): LoggedRun[] {
    return [...this.runs.values()];
  }
}

/** Runs of all tasks, from the log: each entry is added once. */
export class LoggedRuns {
  private readonly byTask = new Map<string, RunsOfTask>();

  add(entry: Entry): void {
    for (const id of new Set([entry.task_id, ...entry.patch.map((patch) => patch.id)])) {
      if (id === undefined) continue;
      const runs = this.byTask.get(id) ?? new RunsOfTask(id);
      runs.add(entry);
      this.byTask.set(id, runs);
    }
  }

  /** Runs started for a task, in order. */
  of(task: string): readonly LoggedRun[] {
    return this.byTask.get(task)?.all() ?? [];
  }
}

/** Runs started for a task, in order. */
export function runsOfTask(entries: Iterable<Entry>, task: string): readonly LoggedRun[] {
  const runs = new RunsOfTask(task);
  for (const entry of entries) runs.add(entry);
  return runs.all();
}

/** Fields of a task that an entry sets. */
function changedFields(entry: Entry, task: string): NodeFields {
  return Object.assign({}, ...entry.patch.map((patch) => (patch.id === task && 'set' in patch ? patch.set : {})));
}

/** Evidence that an entry adds to the latest run, or the decision about its work. */
function judgement(entry: Entry, set: NodeFields, task: string): Pick<LoggedRun, 'evidence' | 'verdict'> {
  const evidence = evidenceIn(set['evidence']);
  const reason = set['failure_reason'];
  const isVerdict = entry.task_id === task && (entry.op === 'approve' || entry.op === 'reject');
  const approved = entry.op === 'approve';
  return {
    ...(evidence === undefined ? {} : { evidence }),
    ...(isVerdict
      ? {
          verdict: {
            ...{ by: entry.actor ?? '', at: entry.timestamp, approved },
            ...(!approved && typeof reason === 'string' ? { reason } : {}),
          },
        }
      : {}),
  };
}

/** Keeps only numeric fields: the log may have been edited. */
function usageIn(usage: JsonObject): LoggedUsage {
  const numbers = Object.entries(usage).filter(([, value]) => typeof value === 'number' && Number.isFinite(value));
  return Object.fromEntries(numbers);
}

/** Operations of a person that do not count as interventions: task creation, and bookings of model calls. */
const NO_INTERVENTIONS: ReadonlySet<string> = new Set(['add_task', 'import', 'model_call', 'model_settled']);

export function humanInterventions(entries: Iterable<Entry>): number {
  let count = 0;
  for (const entry of entries) if (!NO_INTERVENTIONS.has(entry.op) && actorKind(entry) === 'human') count++;
  return count;
}

/** Seconds between two times; null if one is missing. */
function secondsBetween(from: string | undefined, to: string | undefined): number | null {
  const milliseconds = Date.parse(to ?? '') - Date.parse(from ?? '');
  return Number.isFinite(milliseconds) ? Math.max(0, Math.round(milliseconds)) / 1_000 : null;
}

export const treeTotalsShape = z.object({
  tasks: z.number(),
  /** Seconds from the first start to the last end; null if there is no start or no end. */
  wall_clock_seconds: z.nullable(z.number()),
  /** Sum of all task durations in seconds: exceeds the wall clock if work was parallel. */
  work_seconds: z.number(),
  runs: z.number(),
  human_interventions: z.number(),
});
export type TreeTotals = z.infer<typeof treeTotalsShape>;

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

/** Duration of a task from its last start to its end, in seconds. */
export function workedSeconds(task: Task): number | null {
  return secondsBetween(task.started_at, task.completed_at);
}

/** Relation to the parent in a tree: a dependent of it, a part of it, or created by one of its runs. */
type TreeLink = 'after' | 'parent' | 'created';

export interface TreeNode {
  readonly task: Task;
  readonly depth: number;
  /** Id of the parent; undefined for the root. */
  readonly above?: string;
  readonly link?: TreeLink;
}

/** Maps each run to its task, from the log. */
export function tasksOfRuns(entries: Iterable<Entry>): ReadonlyMap<string, string> {
  const runs = new Map<string, string>();
  for (const entry of entries) {
    const run = entry.op === 'spawn_agent' ? (entry.detail?.['run'] ?? entry.actor) : undefined;
    if (typeof run === 'string' && entry.task_id !== undefined) runs.set(run, entry.task_id);
  }
  return runs;
}

/**
 * Returns a task and all its descendants, each once, in depth-first order, by id. Reads the whole graph once;
 * iterative, and terminates on every cycle.
 */
export function treeOf(view: GraphView, root: Task, runs: ReadonlyMap<string, string>): TreeNode[] {
  const below = childrenOf(view, runs);
  const tree: TreeNode[] = [];
  const visited = new Set<string>();
  const pending: { id: string; depth: number; above?: string; link?: TreeLink }[] = [{ id: root.id, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { id, ...place } = next;
    const task = view.task(id);
    if (visited.has(id) || task === undefined) continue;
    visited.add(id);
    tree.push({ task, ...place });
    const children = [...(below.get(id) ?? [])].sort(([left], [right]) => (left < right ? 1 : -1));
    for (const [child, link] of children) pending.push({ id: child, depth: place.depth + 1, above: id, link });
  }
  return tree;
}

function childrenOf(view: GraphView, runs: ReadonlyMap<string, string>): Map<string, Map<string, TreeLink>> {
  const below = new Map<string, Map<string, TreeLink>>();
  const add = (above: string | undefined, child: string, link: TreeLink) => {
    if (above === undefined || above === child) return;
    const children = below.get(above) ?? new Map<string, TreeLink>();
    if (!children.has(child)) children.set(child, link);
    below.set(above, children);
  };
  for (const node of view.nodes()) {
    if (!isTask(node)) continue;
    for (const before of node.after ?? []) add(before, node.id, 'after');
    add(node.parent, node.id, 'parent');
    if (node.created_by !== undefined) add(runs.get(node.created_by), node.id, 'created');
  }
  return below;
}

type ActorKind = 'human' | 'agent' | 'system';

/** Actor names used by Troupe itself. */
const OURSELVES: ReadonlySet<string> = new Set(['coordinator', 'service', 'troupe']);

/** Kind of actor of an entry: a person, a run, or Troupe. A hand edit has no actor name, but counts as a person's. */
export function actorKind(entry: Pick<Entry, 'op' | 'actor'>): ActorKind {
  if (entry.actor === undefined) return entry.op === 'hand_edit' ? 'human' : 'system';
  if (isRunName(entry.actor)) return 'agent';
  return OURSELVES.has(entry.actor) ? 'system' : 'human';
}
