import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { usageOf } from './attempts.js';

/**
 * A task that others are parts of, by their field `epic`. It depends on each of them, so it starts when they have
 * ended, and its parts are found without a look at the rest of the graph. The field `parent` is another thing: the task
 * whose run added this one, on which the limits of runs are based.
 */
export function partsOf(view: GraphView, epic: Task): Task[] {
  const parts: Task[] = [];
  for (const id of new Set(epic.after)) {
    const task = view.task(id);
    if (task?.epic === epic.id && id !== epic.id) parts.push(task);
  }
  return parts;
}

/** Figures of an epic over all tasks below it. Epics between are not counted as tasks of their own. */
export interface EpicProgress {
  readonly done: number;
  readonly total: number;
  /** Cost so far in US dollars, with that of the epics themselves. */
  readonly cost_usd: number;
}

/** Undefined for a task without parts. Bounded by the graph, also if a hand edit made epics parts of one another. */
export function progressOf(view: GraphView, epic: Task): EpicProgress | undefined {
  const below = belowOf(view, epic);
  if (below.size === 0) return undefined;
  let [done, total, cost] = [0, 0, usageOf(epic, 'cost_usd')];
  for (const [task, isEpic] of below.values()) {
    cost += usageOf(task, 'cost_usd');
    if (isEpic) continue;
    total++;
    if (task.status === 'done') done++;
  }
  return { done, total, cost_usd: cost };
}

/** Tasks below an epic at any depth, by id, and whether each is an epic itself. */
export function belowOf(view: GraphView, epic: Task): ReadonlyMap<string, readonly [task: Task, isEpic: boolean]> {
  const below = new Map<string, readonly [Task, boolean]>();
  const pending = partsOf(view, epic);
  for (let task = pending.pop(); task !== undefined; task = pending.pop()) {
    if (task.id === epic.id || below.has(task.id)) continue;
    const parts = partsOf(view, task);
    below.set(task.id, [task, parts.length > 0]);
    pending.push(...parts);
  }
  return below;
}
