import { isTask, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { numberAt } from '#kernel/numbers.js';
import { byId } from '#kernel/order.js';
import { NumberHeap } from './heaps.js';

/** Adjacency lists in one array: the edges of node n are `ends[starts[n]]` up to, excluding, `ends[starts[n + 1]]`. */
interface Edges {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/**
 * The graph or a part of it as an acyclic graph of numbers: every cycle is contracted to one group. Groups are numbered
 * by their smallest id, tasks by id. Edges may occur twice.
 */
export interface Flow {
  readonly tasks: readonly Task[];
  readonly groupOf: Int32Array;
  /** Number of tasks in each group. */
  readonly sizes: Int32Array;
  readonly next: Edges;
  readonly previous: Edges;
  /** All groups in topological order. */
  readonly order: Int32Array;
}

/** Builds the flow in one pass over the graph. Edges to tasks that are excluded or unknown are ignored. */
export function flowOf(view: GraphView, keep: (task: Task) => boolean): Flow {
  const tasks: Task[] = [];
  for (const node of view.nodes()) if (isTask(node) && keep(node)) tasks.push(node);
  tasks.sort(byId);
  const numberOf = new Map<string, number>();
  for (const [number, task] of tasks.entries()) numberOf.set(task.id, number);
  const { groupOf, groups } = groupTasks(view, tasks);
  const sizes = new Int32Array(groups);
  const from: number[] = [];
  const to: number[] = [];
  for (const [number, task] of tasks.entries()) {
    const group = numberAt(groupOf, number);
    sizes[group] = numberAt(sizes, group) + 1;
    for (const id of task.after ?? []) {
      const before = numberOf.get(id);
      const other = before === undefined ? group : numberAt(groupOf, before);
      if (other === group) continue;
      from.push(other);
      to.push(group);
    }
  }
  const next = edgesOf(groups, from, to);
  const previous = edgesOf(groups, to, from);
  return { tasks, groupOf, sizes, next, previous, order: topologicalOrder(groups, next, previous) };
}

/** Header of the outermost cycle of every task in a cycle. */
export function outermostCycles(view: GraphView): ReadonlyMap<string, string> {
  const headerOf = new Map<string, string>();
  for (const cycle of view.cycles()) {
    if (cycle.parent === undefined) for (const id of cycle.members) headerOf.set(id, cycle.header);
  }
  return headerOf;
}

function groupTasks(view: GraphView, tasks: readonly Task[]): { groupOf: Int32Array; groups: number } {
  const cycleOf = outermostCycles(view);
  const groupOfCycle = new Map<string, number>();
  const groupOf = new Int32Array(tasks.length);
  let groups = 0;
  for (const [number, task] of tasks.entries()) {
    const header = cycleOf.get(task.id);
    const existing = header === undefined ? undefined : groupOfCycle.get(header);
    if (existing !== undefined) {
      groupOf[number] = existing;
      continue;
    }
    if (header !== undefined) groupOfCycle.set(header, groups);
    groupOf[number] = groups++;
  }
  return { groupOf, groups };
}

function edgesOf(groups: number, from: readonly number[], to: readonly number[]): Edges {
  const starts = new Int32Array(groups + 1);
  for (const group of from) starts[group + 1] = numberAt(starts, group + 1) + 1;
  for (let group = 0; group < groups; group++)
    starts[group + 1] = numberAt(starts, group + 1) + numberAt(starts, group);
  const place = starts.slice();
  const ends = new Int32Array(to.length);
  for (let edge = 0; edge < to.length; edge++) {
    const group = numberAt(from, edge);
    const at = numberAt(place, group);
    ends[at] = numberAt(to, edge);
    place[group] = at + 1;
  }
  return { starts, ends };
}

function topologicalOrder(groups: number, next: Edges, previous: Edges): Int32Array {
  const order = new Int32Array(groups);
  const waiting = new Int32Array(groups);
  let filled = 0;
  for (let group = 0; group < groups; group++) {
    waiting[group] = numberAt(previous.starts, group + 1) - numberAt(previous.starts, group);
    if (waiting[group] === 0) order[filled++] = group;
  }
  for (let done = 0; done < filled; done++) {
    const group = numberAt(order, done);
    for (let edge = numberAt(next.starts, group); edge < numberAt(next.starts, group + 1); edge++) {
      const other = numberAt(next.ends, edge);
      const openEnds = numberAt(waiting, other) - 1;
      waiting[other] = openEnds;
      if (openEnds === 0) order[filled++] = other;
    }
  }
  return order.subarray(0, filled);
}

/** Number of groups counted at once: one bit of a word each. */
const LANES = 32;

export interface Reach {
  readonly group: number;
  /** Number of tasks that depend, directly or not, on a task of this group. */
  readonly tasks: number;
}

/**
 * Groups whose tasks have the most dependents, exact, most first; ties by id. Counting for every group would take one
 * bit per pair. But a group always has fewer dependents than any group before it, so the search starts at the groups
 * without predecessors, best upper bound first, and counts 32 groups per walk. `from` restricts the search to those
 * groups. Memory: a few words per group.
 */
export function furthestReaching(flow: Flow, most: number, from?: Iterable<number>): Reach[] {
  const bounds = boundsOf(flow);
  const exact = new Map<number, number>();
  const heap = new NumberHeap((left, right) => numberAt(bounds, right) - numberAt(bounds, left) || left - right);
  const waiting = from === undefined ? predecessorCounts(flow) : undefined;
  if (waiting) for (const [group, count] of waiting.entries()) if (count === 0) heap.push(group);
  for (const group of new Set(from)) heap.push(group);
  const reaches: Reach[] = [];
  let enough = 0;
  for (let group = heap.pop(); group !== undefined && enough < most; group = heap.pop()) {
    const tasks = exact.get(group);
    if (tasks === undefined) {
      const lanes = [group];
      const measured: number[] = [];
      while (lanes.length < LANES) {
        const other = heap.pop();
        if (other === undefined) break;
        (exact.has(other) ? measured : lanes).push(other);
        if (measured.length >= LANES) break;
      }
      const counts = countAfter(flow, lanes);
      for (const [lane, member] of lanes.entries()) {
        const inside = numberAt(flow.sizes, member) - 1;
        exact.set(member, numberAt(counts, lane) + inside);
        bounds[member] = numberAt(counts, lane) + inside;
      }
      for (const other of [...lanes, ...measured]) heap.push(other);
      continue;
    }
    reaches.push({ group, tasks });
    enough += numberAt(flow.sizes, group);
    if (waiting) release(flow, group, waiting, bounds, heap);
  }
  return reaches;
}

/**
 * Adds the successors whose predecessors are all released to the queue. Their bound is lower by at least this group's
 * tasks.
 */
function release(flow: Flow, group: number, waiting: Int32Array, bounds: Float64Array, heap: NumberHeap): void {
  const { starts, ends } = flow.next;
  const most = numberAt(bounds, group) - numberAt(flow.sizes, group);
  for (let edge = numberAt(starts, group); edge < numberAt(starts, group + 1); edge++) {
    const other = numberAt(ends, edge);
    const openEnds = numberAt(waiting, other) - 1;
    waiting[other] = openEnds;
    bounds[other] = Math.min(numberAt(bounds, other), most);
    if (openEnds === 0) heap.push(other);
  }
}

function predecessorCounts({ previous, sizes }: Flow): Int32Array {
  return sizes.map((_, group) => numberAt(previous.starts, group + 1) - numberAt(previous.starts, group));
}

/**
 * Counts the dependents of up to 32 groups in one walk in topological order: each node holds one bit per group that
 * reaches it, and the counters are bit-sliced (plane p holds bit p of all 32 counts).
 */
function countAfter(flow: Flow, lanes: readonly number[]): number[] {
  const { order, sizes, next } = flow;
  const reached = new Int32Array(sizes.length);
  const own = new Int32Array(sizes.length);
  for (const [lane, group] of lanes.entries()) own[group] = 1 << lane;
  const planes = new Int32Array(LANES);
  for (const group of order) {
    const before = numberAt(reached, group);
    if (before !== 0) addTo(planes, before, numberAt(sizes, group));
    const mask = before | numberAt(own, group);
    if (mask === 0) continue;
    const end = numberAt(next.starts, group + 1);
    for (let edge = numberAt(next.starts, group); edge < end; edge++) {
      const other = numberAt(next.ends, edge);
      reached[other] = numberAt(reached, other) | mask;
    }
  }
  return lanes.map((_, lane) => planes.reduce((sum, plane, place) => sum + ((plane >>> lane) & 1) * 2 ** place, 0));
}

function addTo(planes: Int32Array, mask: number, amount: number): void {
  for (let place = 0; amount >>> place !== 0; place++) {
    if (((amount >>> place) & 1) === 0) continue;
    let carry = mask;
    for (let plane = place; carry !== 0 && plane < LANES; plane++) {
      const before = numberAt(planes, plane);
      planes[plane] = before ^ carry;
      carry = before & carry;
    }
  }
}

/**
 * Upper bounds of the number of dependents per group, the minimum of three: the sum over all paths (exact if no two
 * meet), the tasks of greater depth from the start, and the tasks of smaller height above the end.
 */
function boundsOf(flow: Flow): Float64Array {
  const { order, sizes, next } = flow;
  const groups = sizes.length;
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const depth = new Int32Array(groups);
  for (const group of order) {
    for (let edge = numberAt(next.starts, group); edge < numberAt(next.starts, group + 1); edge++) {
      const other = numberAt(next.ends, edge);
      depth[other] = Math.max(numberAt(depth, other), numberAt(depth, group) + 1);
    }
  }
  const height = new Int32Array(groups);
  const ways = new Float64Array(groups);
  for (const group of order.toReversed()) {
    let sum = 0;
    let high = 0;
    for (let edge = numberAt(next.starts, group); edge < numberAt(next.starts, group + 1); edge++) {
      const other = numberAt(next.ends, edge);
      sum += numberAt(sizes, other) + numberAt(ways, other);
      high = Math.max(high, numberAt(height, other) + 1);
    }
    ways[group] = Math.min(sum, total);
    height[group] = high;
  }
  const deeper = totalsBelow(
    sizes,
    depth.map((value) => groups - value),
  );
  const lower = totalsBelow(sizes, height);
  return ways.map((sum, group) => {
    const bound = Math.min(sum, deeper(groups - numberAt(depth, group)), lower(numberAt(height, group)));
    return bound + numberAt(sizes, group) - 1;
  });
}

/** Returns a function for the number of tasks in groups with a lower rank. */
function totalsBelow(sizes: Int32Array, ranks: Int32Array): (rank: number) => number {
  const totals = new Float64Array(sizes.length + 2);
  for (const [group, rank] of ranks.entries()) totals[rank + 1] = numberAt(totals, rank + 1) + numberAt(sizes, group);
  for (let rank = 1; rank < totals.length; rank++) totals[rank] = numberAt(totals, rank) + numberAt(totals, rank - 1);
  return (rank) => numberAt(totals, rank);
}
