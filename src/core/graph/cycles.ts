import { WORK_LIMITS } from '#kernel/limits/work.js';
import { numberAt } from '#kernel/numbers.js';
import { compareText } from '#kernel/order.js';
import type { CycleConfig, Task } from './task.js';

/** A structural cycle: a strongly connected component of tasks. */
export interface Cycle {
  /** First task of an iteration. Edges into it from inside the cycle are back edges. */
  readonly header: string;
  /** Ids sorted bytewise, including the header. */
  readonly members: readonly string[];
  /** Whether the header has a `cycle_config`. Without one the cycle is a deadlock. */
  readonly configured: boolean;
  readonly config?: CycleConfig;
  /** Header of the enclosing cycle. */
  readonly parent?: string;
  /** Headers of the cycles that remain inside once the back edges are removed. */
  readonly inner: readonly string[];
  /** Whether it can be entered from outside only at its header. */
  readonly reducible: boolean;
  /** Members with a `cycle_config`: if there are several, some of them may be ignored. */
  readonly carriers: readonly string[];
}

/** All cycles of a graph; immutable. */
export interface CycleIndex {
  readonly byHeader: ReadonlyMap<string, Cycle>;
  /** Header of the innermost cycle around each task. */
  readonly innermost: ReadonlyMap<string, string>;
}

/** Finds all cycles and nested cycles. Reads the whole graph once per level; long chains need no deep recursion. */
export function findCycles(tasks: Iterable<Task>): CycleIndex {
  const byId = new Map<string, Task>();
  for (const task of tasks) byId.set(task.id, task);
  const byHeader = new Map<string, Cycle>();
  const innermost = new Map<string, string>();
  const edgesOf = (id: string) => byId.get(id)?.after ?? [];
  let level: { ids: Iterable<string>; parent?: string }[] = [{ ids: byId.keys() }];
  for (let depth = 0; level.length > 0 && depth < WORK_LIMITS.nestedCycles; depth++) {
    const next: typeof level = [];
    for (const { ids, parent } of level) {
      for (const component of components(ids, edgesOf)) {
        const cycle = cycleOf(component.sort(compareText), byId, parent);
        byHeader.set(cycle.header, cycle);
        for (const id of cycle.members) innermost.set(id, cycle.header);
        // Without the back edges no path inside leads to the header, so the remaining cycles do not contain it.
        next.push({ ids: component.filter((id) => id !== cycle.header), parent: cycle.header });
      }
    }
    level = next;
  }
  return { byHeader: withInner(byHeader), innermost };
}

function withInner(byHeader: ReadonlyMap<string, Cycle>): ReadonlyMap<string, Cycle> {
  const inner = new Map<string, string[]>();
  for (const cycle of byHeader.values()) {
    if (cycle.parent !== undefined) inner.set(cycle.parent, [...(inner.get(cycle.parent) ?? []), cycle.header]);
  }
  return new Map(
    [...byHeader].map(([header, cycle]) => [header, { ...cycle, inner: (inner.get(header) ?? []).sort(compareText) }]),
  );
}

/**
 * Builds a cycle of a component. The header is the member with a `cycle_config`, preferring one with a predecessor
 * outside; without a config it is the only member with a predecessor outside, else the smallest id. The same graph
 * therefore has the same headers everywhere.
 */
function cycleOf(members: readonly string[], byId: ReadonlyMap<string, Task>, parent: string | undefined): Cycle {
  const inside = new Set(members);
  const entered = members.filter((id) =>
    (byId.get(id)?.after ?? []).some((before) => !inside.has(before) && byId.has(before)),
  );
  const carriers = members.filter((id) => byId.get(id)?.cycle_config !== undefined);
  const carrier = carriers.find((id) => entered.includes(id)) ?? carriers[0];
  const header = carrier ?? (entered.length === 1 ? entered[0] : undefined) ?? members[0] ?? '';
  const config = byId.get(header)?.cycle_config;
  return {
    header,
    members,
    configured: config !== undefined,
    ...(config ? { config } : {}),
    ...(parent === undefined ? {} : { parent }),
    inner: [],
    reducible: entered.every((id) => id === header),
    carriers,
  };
}

/** Returns the cycles around a task, outermost first. */
export function cyclesAround(index: CycleIndex, id: string): readonly Cycle[] {
  const around: Cycle[] = [];
  for (let header = index.innermost.get(id); header !== undefined; ) {
    const cycle = index.byHeader.get(header);
    if (!cycle) break;
    around.unshift(cycle);
    header = cycle.parent;
  }
  return around;
}

/**
 * Strongly connected components of two or more nodes, and nodes with an edge to themselves. Tarjan's algorithm with an
 * explicit stack: a chain of 100,000 needs no deep recursion. Edges to ids outside `ids` are ignored.
 */
export function components(ids: Iterable<string>, edgesOf: (id: string) => readonly string[]): string[][] {
  const names = [...ids];
  const numberOf = new Map<string, number>();
  for (const [number, name] of names.entries()) numberOf.set(name, number);
  const count = names.length;
  const result: string[][] = [];
  /** 0: not visited. */
  const index = new Int32Array(count);
  const low = new Int32Array(count);
  const onStack = new Uint8Array(count);
  const nextEdge = new Int32Array(count);
  const stack: number[] = [];
  const path: number[] = [];
  const edges: (readonly string[])[] = new Array(count);
  let counter = 0;
  const enter = (node: number) => {
    counter++;
    index[node] = counter;
    low[node] = counter;
    onStack[node] = 1;
    stack.push(node);
    path.push(node);
    edges[node] = edgesOf(names[node] ?? '');
  };
  for (let root = 0; root < count; root++) {
    if (index[root] !== 0) continue;
    enter(root);
    while (path.length > 0) {
      const node = numberAt(path, path.length - 1);
      const list = edges[node] ?? [];
      const place = numberAt(nextEdge, node);
      if (place < list.length) {
        nextEdge[node] = place + 1;
        const target = numberOf.get(list[place] ?? '');
        if (target === undefined) continue;
        if (index[target] === 0) enter(target);
        else if (onStack[target] === 1) low[node] = Math.min(numberAt(low, node), numberAt(index, target));
        continue;
      }
      path.pop();
      const parent = path[path.length - 1];
      if (parent !== undefined) low[parent] = Math.min(numberAt(low, parent), numberAt(low, node));
      if (low[node] === index[node]) close(node);
    }
  }
  return result;

  function close(node: number): void {
    const component: string[] = [];
    for (;;) {
      const member = stack.pop();
      if (member === undefined) break;
      onStack[member] = 0;
      component.push(names[member] ?? '');
      if (member === node) break;
    }
    const name = names[node] ?? '';
    if (component.length > 1 || edges[node]?.includes(name)) result.push(component);
  }
}

interface Edges {
  dependents(id: string): readonly string[];
  task(id: string): { readonly after?: readonly string[] } | undefined;
}

/**
 * Whether a cycle may have formed because `id` now also depends on `fresh`. Searches from both ends and expands the
 * smaller side, which makes a new task at the edge of a large graph cheap. Returns true if the search grows beyond the
 * limit.
 */
export function couldCycle(graph: Edges, id: string, fresh: readonly string[]): boolean {
  if (fresh.includes(id)) return true;
  if (fresh.length === 0 || graph.dependents(id).length === 0) return false;
  const ahead = { visited: new Set([id]), edge: [id], next: (from: string) => graph.dependents(from) };
  const behind = { visited: new Set(fresh), edge: [...fresh], next: (from: string) => graph.task(from)?.after ?? [] };
  while (ahead.edge.length > 0 && behind.edge.length > 0) {
    const [side, other] = ahead.edge.length <= behind.edge.length ? [ahead, behind] : [behind, ahead];
    const reached: string[] = [];
    for (const from of side.edge) {
      for (const to of side.next(from)) {
        if (other.visited.has(to)) return true;
        if (side.visited.has(to)) continue;
        side.visited.add(to);
        reached.push(to);
      }
    }
    side.edge = reached;
    if (side.visited.size > WORK_LIMITS.cycleSearchTasks) return true;
  }
  return false;
}
