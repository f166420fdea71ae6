import { type CycleHolds, type ReadinessReason, readiness } from '#core/graph/ready.js';
import { isTerminal, type Status, type Task, type WaitCondition } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { formatDuration } from '#kernel/duration.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { byId } from '#kernel/order.js';
import { storedMoment } from './brief.js';

/** Tree of the tasks that block a task. A task that occurs twice is expanded once. */
export interface BlockingChain {
  readonly id: string;
  readonly status: Status;
  readonly after: readonly BlockingChain[];
}

export interface Blocking {
  readonly blocking_chain: BlockingChain;
  /** Root causes: blockers that nothing else blocks, or that block one another in an unconfigured cycle. */
  readonly root_blockers: readonly Task[];
  readonly total_blockers: number;
}

/** Predecessors that a task waits for: those not finished, and those that ended without the required success. */
export function unmetDependencies(view: GraphView, task: Task, now: number, cycleHolds?: CycleHolds): readonly Task[] {
  if (isTerminal(task.status) || task.status === 'in-progress') return [];
  const ids = blockersIn(readiness(view, task.id, now, cycleHolds).reasons);
  return ids.flatMap((id) => view.task(id) ?? []);
}

export function blockersIn(reasons: readonly ReadinessReason[]): readonly string[] {
  const holding = reasons.filter((reason) => reason.code === 'predecessor' || reason.code === 'needs-success');
  return [...new Set(holding.flatMap((reason) => reason.ids ?? []))].sort();
}

/** Follows the blockers of a task back to their roots. Visits each blocker once; terminates on every cycle. */
export function blockingOf(view: GraphView, task: Task, now: number): Blocking {
  const blockers = new Map<string, readonly Task[]>();
  const cycleHolds: CycleHolds = new Map();
  const pending = [task];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (blockers.has(next.id)) continue;
    const holding = unmetDependencies(view, next, now, cycleHolds);
    blockers.set(next.id, holding);
    pending.push(...holding);
  }
  const all = [...new Map([...blockers.values()].flat().map((blocker) => [blocker.id, blocker])).values()];
  const dead = deadEnds(view);
  const roots = all.filter((blocker) => {
    const holding = blockers.get(blocker.id) ?? [];
    return holding.length === 0 || dead(blocker, holding);
  });
  return {
    blocking_chain: chainOf(task, blockers),
    root_blockers: roots.sort(byId),
    total_blockers: all.filter((blocker) => blocker.id !== task.id).length,
  };
}

/**
 * Returns a predicate: whether all blockers of a task are in the same unconfigured cycle. Such a cycle cannot start, so
 * its members are root blockers.
 */
function deadEnds(view: GraphView): (task: Task, holding: readonly Task[]) => boolean {
  const membersOf = new Map<string, ReadonlySet<string>>();
  return (task, holding) => {
    const dead = view.cyclesOf(task.id).find((cycle) => !cycle.configured);
    if (!dead) return false;
    const members = membersOf.get(dead.header) ?? new Set(dead.members);
    membersOf.set(dead.header, members);
    return holding.every((other) => members.has(other.id));
  };
}

interface BlockingPlace {
  readonly id: string;
  readonly status: Status;
  readonly after: BlockingPlace[];
}

/** Builds the tree breadth-first, so that the size limit cuts off the most distant blockers. */
function chainOf(task: Task, blockers: ReadonlyMap<string, readonly Task[]>): BlockingChain {
  const top: BlockingPlace = { id: task.id, status: task.status, after: [] };
  const opened = new Set([task.id]);
  let level = [top];
  let size = 1;
  for (let depth = 0; depth < SURFACE_LIMITS.blockingDepth && level.length > 0; depth++) {
    const below: BlockingPlace[] = [];
    for (const place of level) {
      for (const blocker of blockers.get(place.id) ?? []) {
        if (size++ >= SURFACE_LIMITS.blockingTasks) return top;
        const child: BlockingPlace = { id: blocker.id, status: blocker.status, after: [] };
        place.after.push(child);
        if (opened.has(blocker.id)) continue;
        opened.add(blocker.id);
        below.push(child);
      }
    }
    level = below;
  }
  return top;
}

export interface ParkedReason {
  readonly text: string;
  readonly until: string | undefined;
  readonly refs: readonly string[];
}

/** Condition that a waiting task waits for, as text without a full stop. */
export function parkedBecause(task: Task, now: number): ParkedReason {
  const conditions: readonly WaitCondition[] = Array.isArray(task.wait_condition?.conditions)
    ? task.wait_condition.conditions
    : [];
  if (conditions.length === 0) return { text: 'It is waiting', until: undefined, refs: [] };
  const join = task.wait_condition?.mode === 'any' ? ' or ' : ' and ';
  const timer = conditions.find((condition) => condition.type === 'timer');
  return {
    text: `It is waiting until ${conditions.map((condition) => conditionText(condition, now)).join(join)}`,
    until: timer?.resume_after,
    refs: conditions.flatMap((condition) => (condition.type === 'task-status' ? [condition.task_id] : [])),
  };
}

function conditionText(condition: WaitCondition, now: number): string {
  switch (condition.type) {
    case 'human-input':
      return 'a person answers';
    case 'message':
      return 'a message comes';
    case 'task-status':
      return `${condition.task_id} is ${condition.status}`;
    case 'timer':
      return `${formatDuration(Math.max(0, (storedMoment(condition.resume_after) ?? now) - now))} have passed`;
    case 'file-changed':
      return `${condition.path} changes`;
    default:
      return 'an event unknown to this version';
  }
}
