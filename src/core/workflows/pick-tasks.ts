import { isMeta } from '#core/graph/meta.js';
import { isTask, type Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';

export interface Picking {
  /** Also whatever comes after the named tasks, however far. */
  readonly subgraph?: boolean | undefined;
  /** Also the tasks that the named ones brought into the graph. */
  readonly recursive?: boolean | undefined;
  /** Also the tasks that assign and evaluate others. */
  readonly includeEvaluations?: boolean | undefined;
}

const META_TAGS = ['assignment', 'evaluation', 'evolution'];

/** A task about other tasks: it assigns, evaluates or improves. Named so by the coordinator, or tagged so by other tools. */
function isAboutTasks(view: GraphView, task: Task): boolean {
  return isMeta(view, task) || (task.tags ?? []).some((tag) => META_TAGS.includes(tag));
}

export interface Picked {
  /** In the order they were made. All of them are done. */
  readonly tasks: readonly Task[];
  /** Tasks left out whose edges still count: what came after one comes after its predecessors. */
  readonly skipped: ReadonlyMap<string, Task>;
}

/** The tasks a function is made of. `not_done` names all that are not finished with success. */
export function pickTasks(view: GraphView, named: readonly string[], picking: Picking): Picked {
  const tasks = new Map<string, Task>();
  const skipped = new Map<string, Task>();
  const children = picking.recursive ? childrenIn(view) : undefined;
  const open = named.map((id) => taskOf(view, id));
  for (let task = open.pop(); task; task = open.pop()) {
    if (tasks.has(task.id) || skipped.has(task.id)) continue;
    const meta = isAboutTasks(view, task) && picking.includeEvaluations !== true && !named.includes(task.id);
    (meta ? skipped : tasks).set(task.id, task);
    if (tasks.size > LIMITS.functionTasks) {
      throw new TroupeError('too_large', { what: `A function has at most ${LIMITS.functionTasks} tasks.` });
    }
    const more = [...(picking.subgraph ? view.dependents(task.id) : []), ...(children?.get(task.id) ?? [])];
    for (const id of more) {
      const next = view.task(id);
      if (next) open.push(next);
    }
  }
  for (const task of tasks.values()) skipMeta(view, task, tasks, skipped);
  const picked = [...tasks.values()].sort((left, right) => (orderOf(left) < orderOf(right) ? -1 : 1));
  const unfinished = picked.filter((task) => task.status !== 'done');
  if (unfinished.length > 0) {
    const some = unfinished.slice(0, 10).map((task) => `${task.id} (${task.status})`);
    const rest = unfinished.length - some.length;
    throw new TroupeError('not_done', {
      what: `Not done: ${some.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`,
      details: { ids: unfinished.map((task) => task.id) },
    });
  }
  return { tasks: picked, skipped };
}

function orderOf({ id, created_at: at = '' }: Task): string {
  return `${at} ${id}`;
}

/** Tasks about tasks that stand before a picked one are looked through, so that order is not lost with them. */
function skipMeta(view: GraphView, task: Task, tasks: ReadonlyMap<string, Task>, skipped: Map<string, Task>): void {
  const open = [...(task.after ?? [])];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const before = view.task(id);
    if (!before || tasks.has(id) || skipped.has(id) || !isAboutTasks(view, before)) continue;
    skipped.set(id, before);
    open.push(...(before.after ?? []));
  }
}

function childrenIn(view: GraphView): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>();
  for (const node of view.nodes()) {
    if (!isTask(node) || typeof node.parent !== 'string') continue;
    const list = children.get(node.parent);
    if (list) list.push(node.id);
    else children.set(node.parent, [node.id]);
  }
  return children;
}
