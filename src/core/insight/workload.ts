import { tasksInSight } from '#core/graph/in-sight.js';
import { type CycleHolds, readiness } from '#core/graph/ready.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { compareText } from '#kernel/order.js';
import { isUnfinished, totalHours } from './brief.js';

export interface Load {
  readonly name: string;
  readonly in_progress: number;
  readonly ready: number;
  /** Held up, waiting, blocked, or in review. */
  readonly waiting: number;
  readonly hours: number;
  readonly task_ids: readonly string[];
}

/** Work per person: holders of claims and members with assigned tasks, most hours first. */
export function workload(view: GraphView, now: number): { people: readonly Load[]; unassigned: Omit<Load, 'name'> } {
  const tasksOf = new Map<string, Task[]>();
  const nobodys: Task[] = [];
  for (const task of tasksInSight(view)) {
    if (!isUnfinished(task)) continue;
    const name = ownerOf(task);
    const list = name === undefined ? nobodys : tasksOf.get(name);
    if (list) list.push(task);
    else if (name !== undefined) tasksOf.set(name, [task]);
  }
  const cycleHolds: CycleHolds = new Map();
  const people = [...tasksOf].map(([name, tasks]) => ({ name, ...loadOf(view, tasks, now, cycleHolds) }));
  return {
    people: people.sort(
      (left, right) =>
        right.hours - left.hours || right.task_ids.length - left.task_ids.length || compareText(left.name, right.name),
    ),
    unassigned: loadOf(view, nobodys, now, cycleHolds),
  };
}

/** Owner of a task: its member, even while a run holds it; without a member, the holder of its claim. */
function ownerOf(task: Task): string | undefined {
  return task.member ?? (task.status === 'open' ? undefined : task.assigned);
}

function loadOf(view: GraphView, tasks: readonly Task[], now: number, cycleHolds: CycleHolds): Omit<Load, 'name'> {
  const working = tasks.filter((task) => task.status === 'in-progress').length;
  const ready = tasks.filter((task) => readiness(view, task.id, now, cycleHolds).ready).length;
  return {
    in_progress: working,
    ready,
    waiting: tasks.length - working - ready,
    hours: totalHours(tasks),
    task_ids: tasks.map((task) => task.id).sort(),
  };
}
