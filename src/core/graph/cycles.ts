import { LIMITS } from '#kernel/limits.js';
import { compareText } from '#kernel/order.js';
import type { CycleConfig, Task } from './task.js';

/** A structural cycle: tasks that each come after all the others, by whatever way. */
export interface Cycle {
  /** Where a pass begins. What comes into it from inside the cycle is a back edge. */
  readonly header: string;
  /** By id, as bytes; the header among them. */
  readonly members: readonly string[];
  /** Is there a `cycle_config` on the header? Without one the cycle is a deadlock. */
  readonly configured: boolean;
  readonly config?: CycleConfig;
  /** The header of the cycle this one lies in. */
  readonly parent?: string;
  /** Headers of the cycles that are left inside when the back edges are taken away. */
  readonly inner: readonly string[];
  /** Can it be entered from outside at its header only? */
  readonly reducible: boolean;
  /** Members with a `cycle_config`: more than one can mean that one of them is never looked at. */
  readonly carriers: readonly string[];
}

/** All cycles of a graph; never changed, only replaced. */
export interface CycleIndex {
  readonly byHeader: ReadonlyMap<string, Cycle>;
  /** The header of the innermost cycle a task is in. */
  readonly innermost: ReadonlyMap<string, string>;
}

/** Finds every cycle and those inside them. Reads the whole graph once a level; deep chains need no deep stack. */
export function findCycles(tasks: Iterable<Task>): CycleIndex {
  const byId = new Map<string, Task>();
  for (const task of tasks) byId.set(task.id, task);
  const byHeader = new Map<string, Cycle>();
  const innermost = new Map<string, string>();
  const edgesOf = (id: string) => byId.get(id)?.after ?? [];
  let level: { ids: Iterable<string>; parent?: string }[] = [{ ids: byId.keys() }];
  for (let depth = 0; level.length > 0 && depth < LIMITS.nestedCycles; depth++) {
    const next: typeof level = [];
    for (const { ids, parent } of level) {
      for (const component of components(ids, edgesOf)) {
        const cycle = cycleOf(component.sort(compareText), byId, parent);
        byHeader.set(cycle.header, cycle);
        for (const id of cycle.members) innermost.set(id, cycle.header);
        // Without the back edges nothing inside leads to the header: what still goes round does so without it.
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
 * The header is the carrier of a `cycle_config`, of several one with a predecessor outside; without carriers the only member
 * with a predecessor outside; else the smallest id. So the same graph has the same headers everywhere.
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

/** The cycles a task is in, the outermost first. */
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
 * The strongly connected components of two or more nodes, and nodes with an edge to themselves: Tarjan's algorithm with
 * its own stack, so that a chain of 100,000 needs no deep recursion. Edges to ids outside `ids` do not count.
 */
export function components(ids: Iterable<string>, edgesOf: (id: string) => readonly string[]): string[][] {
  const names = [...ids];
  const numberOf = new Map<string, number>();
  for (const [number, name] of names.entries()) numberOf.set(name, number);
  const count = names.length;
  const result: string[][] = [];
  /** 0: not seen. */
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
      const node = path[path.length - 1] ?? 0;
      const list = edges[node] ?? [];
      const place = nextEdge[node] ?? 0;
      if (place < list.length) {
        nextEdge[node] = place + 1;
        const target = numberOf.get(list[place] ?? '');
        if (target === undefined) continue;
        if (index[target] === 0) enter(target);
        else if (onStack[target] === 1) low[node] = Math.min(low[node] ?? 0, index[target] ?? 0);
        continue;
      }
      path.pop();
      const parent = path[path.length - 1];
      if (parent !== undefined) low[parent] = Math.min(low[parent] ?? 0, low[node] ?? 0);
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
 * May a cycle have come about because `id` now also comes after `fresh`? Looks from both ends at once and follows the side
 * that is smaller, so that a new task at the edge of a large graph costs next to nothing. Says yes when it would take
 * too long to be sure.
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
    if (side.visited.size > LIMITS.cycleSearchTasks) return true;
  }
  return false;
}
