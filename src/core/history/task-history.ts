// What the log tells of a task and of what grew from it: the tree, the operations, who stood behind them, the times.
import type { Entry } from '#core/graph/event.js';
import { isRunName } from '#core/graph/run-name.js';
import { isTask, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
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

/** What a run used, as it stands in the log: tokens, and US dollars. */
export interface LoggedUsage {
  readonly cost_usd?: number;
  readonly estimated_usd?: number;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
}

/** A run of a task as the log tells of it. */
export interface LoggedRun {
  readonly run: string;
  /** When it was started. */
  readonly timestamp: string;
  readonly executor?: string;
  /** Once it is settled: when, how, and what it used as far as its client says. */
  readonly ended_at?: string;
  readonly outcome?: string;
  readonly usage?: LoggedUsage;
}

/** The runs that were started for a task, in order. */
export function runsOfTask(entries: Iterable<Entry>, task: string): LoggedRun[] {
  const runs = new Map<string, LoggedRun>();
  for (const entry of entries) {
    if (entry.task_id !== task) continue;
    const run = entry.detail?.['run'] ?? entry.actor;
    if (typeof run !== 'string') continue;
    const { executor, outcome, usage } = entry.detail ?? {};
    const known = typeof executor === 'string' ? { executor } : {};
    if (entry.op === 'spawn_agent') runs.set(run, { run, timestamp: entry.timestamp, ...known });
    const before = runs.get(run);
    if (entry.op !== 'agent_complete' || before === undefined) continue;
    runs.set(run, {
      ...before,
      ...known,
      ended_at: entry.timestamp,
      ...(typeof outcome === 'string' ? { outcome } : {}),
      ...(isJsonObject(usage) ? { usage: usageIn(usage) } : {}),
    });
  }
  return [...runs.values()];
}

/** Numbers alone: somebody may have written into the log. */
function usageIn(usage: JsonObject): LoggedUsage {
  const numbers = Object.entries(usage).filter(([, value]) => typeof value === 'number' && Number.isFinite(value));
  return Object.fromEntries(numbers);
}

/** Operations of a person that are no intervention: the making of a task, and what is booked for a question to a model. */
const NO_INTERVENTIONS: ReadonlySet<string> = new Set(['add_task', 'model_call', 'model_settled']);

/** How often a person laid hands on work. */
export function humanInterventions(entries: Iterable<Entry>): number {
  let count = 0;
  for (const entry of entries) if (!NO_INTERVENTIONS.has(entry.op) && actorKind(entry) === 'human') count++;
  return count;
}

/** Seconds from the first to the last of two moments; null while one is missing. */
function secondsBetween(from: string | undefined, to: string | undefined): number | null {
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

/** How a task came into a tree: it comes after the one above, is a part of it, or was made by one of its runs. */
type TreeLink = 'after' | 'parent' | 'created';

export interface TreeNode {
  readonly task: Task;
  readonly depth: number;
  /** The task above; undefined for the root. */
  readonly above?: string;
  readonly link?: TreeLink;
}

/** Who worked on what, as the log tells: run → task. */
export function tasksOfRuns(entries: Iterable<Entry>): ReadonlyMap<string, string> {
  const runs = new Map<string, string>();
  for (const entry of entries) {
    const run = entry.op === 'spawn_agent' ? (entry.detail?.['run'] ?? entry.actor) : undefined;
    if (typeof run === 'string' && entry.task_id !== undefined) runs.set(run, entry.task_id);
  }
  return runs;
}

/**
 * A task and everything that grew from it, each once, the way down first, by id. Walks the whole graph once; needs no
 * stack, and ends on every cycle.
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

/** Names under which Troupe itself writes. */
const OURSELVES: ReadonlySet<string> = new Set(['coordinator', 'service', 'troupe']);

/** Who stands behind an entry: a person, a run, or Troupe. What a hand changed in the file has no name, but is a person's. */
export function actorKind(entry: Pick<Entry, 'op' | 'actor'>): ActorKind {
  if (entry.actor === undefined) return entry.op === 'hand_edit' ? 'human' : 'system';
  if (isRunName(entry.actor)) return 'agent';
  return OURSELVES.has(entry.actor) ? 'system' : 'human';
}
