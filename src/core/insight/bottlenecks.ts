import * as z from 'zod/mini';
import { isTask, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { countUp, numberAt, numberOf } from '#kernel/numbers.js';
import { byId } from '#kernel/order.js';
import { isUnfinished } from './brief.js';
import { type Flow, flowOf, furthestReaching } from './flow.js';
import { nullableText, status } from './shapes.js';

export const bottleneckShape = z.object({
  id: z.string(),
  title: z.string(),
  /** Unfinished tasks that directly depend on it. */
  direct_blocks: z.number(),
  /** Unfinished tasks that depend on it, directly or through unfinished tasks. */
  transitive_before: z.number(),
  status,
  assigned: nullableText,
  recommendation: z.string(),
});
export type Bottleneck = z.infer<typeof bottleneckShape>;

/** Shares of the graph from which a recommendation is made, and a stronger one. */
const NOTICEABLE = 0.1;
const LARGE = 0.2;

/** The ten unfinished tasks with the most unfinished dependents, exact; ties by id. */
export function bottlenecks(view: GraphView): { bottlenecks: Bottleneck[]; total_tasks: number } {
  const total = [...view.nodes()].filter(isTask).length;
  const flow = flowOf(view, isUnfinished);
  const reaches = furthestReaching(flow, SURFACE_LIMITS.bottlenecks).filter((reach) => reach.tasks > 0);
  const members = membersOf(flow, new Set(reaches.map((reach) => reach.group)));
  const first = reaches
    .flatMap(({ group, tasks }) => (members.get(group) ?? []).map((task) => ({ task, tasks })))
    .sort((left, right) => right.tasks - left.tasks || byId(left.task, right.task))
    .slice(0, SURFACE_LIMITS.bottlenecks);
  const direct = directBlocks(flow.tasks, new Set(first.map(({ task }) => task.id)));
  return {
    bottlenecks: first.map(({ task, tasks }) => ({
      id: task.id,
      title: task.title,
      direct_blocks: numberOf(direct, task.id),
      transitive_before: tasks,
      status: task.status,
      assigned: task.assigned ?? null,
      recommendation: adviceOn(task, tasks / Math.max(1, total)),
    })),
    total_tasks: total,
  };
}

/** Tasks of these groups, sorted by id. */
export function membersOf(flow: Flow, groups: ReadonlySet<number>): ReadonlyMap<number, readonly Task[]> {
  const members = new Map<number, Task[]>();
  for (const [number, task] of flow.tasks.entries()) {
    const group = numberAt(flow.groupOf, number);
    if (groups.has(group)) {
      const list = members.get(group);
      if (list) list.push(task);
      else members.set(group, [task]);
    }
  }
  return members;
}

function directBlocks(tasks: readonly Task[], ids: ReadonlySet<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const task of tasks) {
    for (const id of new Set(task.after)) {
      if (ids.has(id) && id !== task.id) countUp(counts, id);
    }
  }
  return counts;
}

function adviceOn(task: Task, part: number): string {
  if (part < NOTICEABLE) return 'little depends on it';
  const share = `${Math.round(part * 100)} % of the graph depends on it`;
  const what =
    task.status === 'in-progress'
      ? 'see that it gets finished'
      : task.status === 'open'
        ? 'start it before the others'
        : `it is ${task.status}: unblock it`;
  return part < LARGE ? `${share}: ${what}` : `${share}: ${what}, or split it`;
}
