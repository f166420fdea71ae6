import { type CycleHolds, readiness } from '#core/graph/ready.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { type Brief, briefOf, isUnfinished } from './brief.js';
import { type Doer, doerOf } from './done-by.js';
import { flowOf } from './flow.js';
import { furthestReaching } from './reach.js';

export interface NextUp {
  readonly task: (Brief & { readonly member: string | null; readonly done_by: Doer }) | null;
  /** How many unfinished tasks wait for it, by whatever way. */
  readonly waiting_for_it: number;
  /** How many tasks are ready, this one among them. */
  readonly ready: number;
  readonly reason: string;
}

/** The one ready task to take first: what most waits for, then what has been ready longest, then by id. */
export function nextUp(
  view: GraphView,
  member: string | undefined,
  now: number,
  client: { readonly executor?: string; readonly missing?: string },
): NextUp {
  const ready = readyTasks(view, now).filter((task) => member === undefined || task.member === member);
  if (ready.length === 0) return { task: null, waiting_for_it: 0, ready: 0, reason: 'nothing is ready' };
  const flow = flowOf(view, isUnfinished);
  const wanted = new Set(ready.map((task) => task.id));
  const groupOf = new Map<string, number>();
  for (const [number, task] of flow.tasks.entries())
    if (wanted.has(task.id)) groupOf.set(task.id, flow.groupOf[number] ?? 0);
  const [best] = furthestReaching(flow, 1, groupOf.values());
  const waiting = best?.tasks ?? 0;
  const first = waiting === 0 ? ready[0] : ready.find((task) => groupOf.get(task.id) === best?.group);
  const task = first ?? ready[0];
  return {
    task: task ? { ...briefOf(task), member: task.member ?? null, done_by: doerOf(task, client) } : null,
    waiting_for_it: waiting,
    ready: ready.length,
    reason: waiting === 0 ? 'it has been ready longest' : 'more waits for it than for any other ready task',
  };
}

/** What can be claimed now, longest ready first. */
export function readyTasks(view: GraphView, now: number): Task[] {
  const since = (task: Task) => view.readyAt(task.id) ?? 0;
  const holds: CycleHolds = new Map();
  return [...view.candidates()]
    .filter((id) => readiness(view, id, now, holds).ready)
    .flatMap((id) => view.task(id) ?? [])
    .sort((left, right) => since(left) - since(right) || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0));
}
