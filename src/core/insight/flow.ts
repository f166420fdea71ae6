import { isTask, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { byId } from './brief.js';

/** Edges in one piece: those of node n lie in `ends` from `starts[n]` to before `starts[n + 1]`. */
export interface Edges {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/**
 * The graph, or a part of it, as numbers, with every cycle drawn together to one group, so that what is left has an
 * order. Groups are numbered by the smallest id in them, tasks by their ids. The same edge may stand there twice.
 */
export interface Flow {
  readonly tasks: readonly Task[];
  readonly groupOf: Int32Array;
  /** How many tasks each group holds. */
  readonly sizes: Int32Array;
  readonly next: Edges;
  readonly previous: Edges;
  /** All groups, none before one it comes after. */
  readonly order: Int32Array;
}

/** Reads the whole graph once. Edges to tasks that are not kept, or that nobody knows, do not count. */
export function flowOf(view: GraphView, keep: (task: Task) => boolean): Flow {
  const tasks: Task[] = [];
  for (const node of view.nodes()) if (isTask(node) && keep(node)) tasks.push(node);
  tasks.sort(byId);
  const numberOf = new Map<string, number>();
  for (const [number, task] of tasks.entries()) numberOf.set(task.id, number);
  const { groupOf, groups } = grouped(view, tasks);
  const sizes = new Int32Array(groups);
  const from: number[] = [];
  const to: number[] = [];
  for (const [number, task] of tasks.entries()) {
    const group = groupOf[number] ?? 0;
    sizes[group] = (sizes[group] ?? 0) + 1;
    for (const id of task.after ?? []) {
      const before = numberOf.get(id);
      const other = before === undefined ? group : (groupOf[before] ?? 0);
      if (other === group) continue;
      from.push(other);
      to.push(group);
    }
  }
  const next = edgesOf(groups, from, to);
  const previous = edgesOf(groups, to, from);
  return { tasks, groupOf, sizes, next, previous, order: ordered(groups, next, previous) };
}

/** The header of the outermost cycle of every task that is in one. */
export function outermostCycles(view: GraphView): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const cycle of view.cycles()) {
    if (cycle.parent === undefined) for (const id of cycle.members) found.set(id, cycle.header);
  }
  return found;
}

function grouped(view: GraphView, tasks: readonly Task[]): { groupOf: Int32Array; groups: number } {
  const cycleOf = outermostCycles(view);
  const groupOfCycle = new Map<string, number>();
  const groupOf = new Int32Array(tasks.length);
  let groups = 0;
  for (const [number, task] of tasks.entries()) {
    const header = cycleOf.get(task.id);
    const known = header === undefined ? undefined : groupOfCycle.get(header);
    if (known !== undefined) {
      groupOf[number] = known;
      continue;
    }
    if (header !== undefined) groupOfCycle.set(header, groups);
    groupOf[number] = groups++;
  }
  return { groupOf, groups };
}

function edgesOf(groups: number, from: readonly number[], to: readonly number[]): Edges {
  const starts = new Int32Array(groups + 1);
  for (const group of from) starts[group + 1] = (starts[group + 1] ?? 0) + 1;
  for (let group = 0; group < groups; group++) starts[group + 1] = (starts[group + 1] ?? 0) + (starts[group] ?? 0);
  const place = starts.slice();
  const ends = new Int32Array(to.length);
  for (let edge = 0; edge < to.length; edge++) {
    const group = from[edge] ?? 0;
    const at = place[group] ?? 0;
    ends[at] = to[edge] ?? 0;
    place[group] = at + 1;
  }
  return { starts, ends };
}

function ordered(groups: number, next: Edges, previous: Edges): Int32Array {
  const order = new Int32Array(groups);
  const waiting = new Int32Array(groups);
  let filled = 0;
  for (let group = 0; group < groups; group++) {
    waiting[group] = (previous.starts[group + 1] ?? 0) - (previous.starts[group] ?? 0);
    if (waiting[group] === 0) order[filled++] = group;
  }
  for (let done = 0; done < filled; done++) {
    const group = order[done] ?? 0;
    for (let edge = next.starts[group] ?? 0; edge < (next.starts[group + 1] ?? 0); edge++) {
      const other = next.ends[edge] ?? 0;
      const left = (waiting[other] ?? 0) - 1;
      waiting[other] = left;
      if (left === 0) order[filled++] = other;
    }
  }
  return order.subarray(0, filled);
}
