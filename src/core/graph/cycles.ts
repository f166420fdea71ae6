import { components } from '#core/graph/lib/components.js';
import type { CycleConfig, Task } from '#core/graph/task.js';
import { LIMITS } from '#kernel/limits.js';

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
      for (const found of components(ids, edgesOf)) {
        const cycle = cycleOf(found.sort(byBytes), byId, parent);
        byHeader.set(cycle.header, cycle);
        for (const id of cycle.members) innermost.set(id, cycle.header);
        // Without the back edges nothing inside leads to the header: what still goes round does so without it.
        next.push({ ids: found.filter((id) => id !== cycle.header), parent: cycle.header });
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
    [...byHeader].map(([header, cycle]) => [header, { ...cycle, inner: (inner.get(header) ?? []).sort(byBytes) }]),
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

function byBytes(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
