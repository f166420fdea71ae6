import { pausedBetweenPasses, restartPending } from './cycle-decision.js';
import type { Cycle } from './cycles.js';
import { isProposed } from './formation-gate.js';
import { isTerminal, type Task } from './task.js';
import { timeOf } from './time.js';
import type { GraphView } from './view.js';

export type ReadinessCode =
  | 'status'
  | 'paused'
  | 'line-up'
  | 'time'
  | 'predecessor'
  | 'needs-success'
  | 'unplaced'
  | 'cycle-restart';

export interface ReadinessReason {
  readonly code: ReadinessCode;
  readonly ids?: readonly string[];
  /** For `time`: when the wait ends. */
  readonly until?: string;
}

export interface Readiness {
  readonly id: string;
  readonly ready: boolean;
  readonly reasons: readonly ReadinessReason[];
}

/** Whether an edge is a back edge: the header of a configured cycle does not wait for predecessors inside the cycle. */
export function isExempt(view: GraphView, task: Task, before: string): boolean {
  if (task.cycle_config === undefined || !view.mayIterate()) return false;
  return view.cycle(task.id)?.members.includes(before) === true;
}

interface Hold {
  readonly restarts: boolean;
  /** Members whose pause halts the cycle between two iterations. */
  readonly paused: readonly string[];
}

/**
 * Cached state of cycles, by header. A caller that reads many tasks of one view passes the same map each time: then
 * each cycle is examined once, not once per member.
 */
export type CycleHolds = Map<string, Hold>;

/** Whether this task left the graph (archived, or removed by `gc`) in another status than done. */
function endedOtherwise(view: GraphView, id: string): boolean {
  const departed = view.departed(id);
  return departed !== undefined && departed.last !== 'done';
}

/** Whether a cycle that has not ended holds this task back, regardless of its predecessors. */
export function isHeld(view: GraphView, task: Task, holds?: CycleHolds): boolean {
  return view.mayIterate() && heldBy(view, task, holds).length > 0;
}

/**
 * Time since when this task is free (open, not paused, without pending predecessors), in milliseconds: the latest of
 * its creation, its start times and the ends of its predecessors. Undefined if it is not free.
 */
export function freeSince(view: GraphView, task: Task, holds?: CycleHolds): number | undefined {
  if (task.status !== 'open' || task.paused === true || task.unplaced === true || isProposed(task)) return undefined;
  let since = 0;
  for (const id of task.after ?? []) {
    const predecessor = view.task(id);
    if (!predecessor && task.after_success?.includes(id) && endedOtherwise(view, id)) return undefined;
    if (!predecessor || isExempt(view, task, id)) continue;
    if (!isTerminal(predecessor.status)) return undefined;
    if (predecessor.status !== 'done' && task.after_success?.includes(id)) return undefined;
    since = Math.max(since, timeOf(predecessor.completed_at));
  }
  // Checked last, because it examines whole cycles.
  if (isHeld(view, task, holds)) return undefined;
  return Math.max(since, timeOf(task.created_at), timeOf(task.not_before), timeOf(task.ready_after));
}

/**
 * A cycle about to restart holds its members and the dependents of the failed one. A cycle halted by a pause between
 * two iterations holds the dependents of its members, which would otherwise start although another iteration follows.
 */
function heldBy(view: GraphView, task: Task, holds: CycleHolds = new Map()): ReadinessReason[] {
  const restarts = new Set<string>();
  const halted = new Set<string>();
  for (const cycle of view.cyclesOf(task.id))
    if (cycle.configured && holdOf(view, cycle, holds).restarts) restarts.add(cycle.header);
  for (const before of task.after ?? []) {
    const status = view.task(before)?.status;
    if (status === undefined || !isTerminal(status)) continue;
    for (const cycle of view.cyclesOf(before)) {
      if (!cycle.configured || cycle.members.includes(task.id)) continue;
      const hold = holdOf(view, cycle, holds);
      if (status === 'failed' && hold.restarts) restarts.add(cycle.header);
      for (const id of hold.paused) halted.add(id);
    }
  }
  return [
    ...(restarts.size > 0 ? [{ code: 'cycle-restart' as const, ids: [...restarts].sort() }] : []),
    ...(halted.size > 0 ? [{ code: 'paused' as const, ids: [...halted].sort() }] : []),
  ];
}

function holdOf(view: GraphView, cycle: Cycle, holds: CycleHolds): Hold {
  const cached = holds.get(cycle.header);
  if (cached) return cached;
  const hold = { restarts: restartPending(view, cycle), paused: pausedBetweenPasses(view, cycle) };
  holds.set(cycle.header, hold);
  return hold;
}

/**
 * Whether this task may be claimed now, with the reasons if not. All callers use this one function. Costs its direct
 * predecessors and the members of its cycles, never the whole graph.
 */
export function readiness(view: GraphView, id: string, now: number, holds?: CycleHolds): Readiness {
  const task = view.task(id);
  if (!task) return { id, ready: false, reasons: [{ code: 'status' }] };
  const reasons: ReadinessReason[] = [];
  if (task.status !== 'open') reasons.push({ code: 'status' });
  if (isProposed(task)) reasons.push({ code: 'line-up' });
  else if (task.paused === true) reasons.push({ code: 'paused' });
  if (task.unplaced === true) reasons.push({ code: 'unplaced' });
  const until = Math.max(timeOf(task.not_before), timeOf(task.ready_after));
  if (until > now) reasons.push({ code: 'time', until: new Date(until).toISOString() });
  const open: string[] = [];
  const unsuccessful: string[] = [];
  const required = new Set(task.after_success);
  for (const before of new Set(task.after)) {
    const predecessor = view.task(before);
    if (isExempt(view, task, before)) continue;
    if (!predecessor) {
      // An unknown predecessor never blocks; `check` reports it. One that left the graph still has its last status.
      if (required.has(before) && endedOtherwise(view, before)) unsuccessful.push(before);
      continue;
    }
    if (!isTerminal(predecessor.status)) open.push(before);
    else if (required.has(before) && predecessor.status !== 'done') unsuccessful.push(before);
  }
  if (open.length > 0) reasons.push({ code: 'predecessor', ids: open.sort() });
  if (unsuccessful.length > 0) reasons.push({ code: 'needs-success', ids: unsuccessful.sort() });
  if (task.status === 'open' && view.mayIterate()) reasons.push(...heldBy(view, task, holds));
  return { id, ready: reasons.length === 0, reasons };
}

/** Text of a readiness reason, shown beside a task that does not run. */
export function formatReadinessReason(reason: ReadinessReason): string {
  switch (reason.code) {
    case 'status':
      return 'it is not open';
    case 'line-up':
      return 'its line-up is not accepted';
    case 'paused':
      return reason.ids ? `the cycle it depends on is halted: ${reason.ids.join(', ')} is paused` : 'it is paused';
    case 'time':
      return `not before ${reason.until ?? 'later'}`;
    case 'predecessor':
      return `waits for ${(reason.ids ?? []).join(', ')}`;
    case 'unplaced':
      return 'it waits for its place in the graph';
    case 'cycle-restart':
      return `the cycle of ${(reason.ids ?? []).join(', ')} is about to restart`;
    case 'needs-success':
      return `needs ${(reason.ids ?? []).join(', ')} to be done`;
  }
}
