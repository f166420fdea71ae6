import { restartPending } from '#core/graph/cycle-decision.js';
import { timeOf } from '#core/graph/lib/time.js';
import { isTerminal, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';

export type ReadinessCode =
  | 'status'
  | 'paused'
  | 'time'
  | 'predecessor'
  | 'needs-success'
  | 'unplaced'
  | 'cycle-restart';

export interface ReadinessReason {
  readonly code: ReadinessCode;
  readonly ids?: readonly string[];
  /** For `time`: when it will be over. */
  readonly until?: string;
}

export interface Readiness {
  readonly id: string;
  readonly ready: boolean;
  readonly reasons: readonly ReadinessReason[];
}

/** A configured cycle begins at its header: what comes into that from inside the cycle is never waited for. */
export function isExempt(view: GraphView, task: Task, before: string): boolean {
  if (task.cycle_config === undefined || !view.mayIterate()) return false;
  return view.cycle(task.id)?.members.includes(before) === true;
}

/** The failed tasks whose cycle is about to begin its pass again, if that holds this one. */
export function isHeld(view: GraphView, task: Task): boolean {
  return view.mayIterate() && restartsAround(view, task).length > 0;
}

/** Headers of cycles with a restart to come, among those the task is in and those of failed tasks right before it. */
function restartsAround(view: GraphView, task: Task): string[] {
  const near = [task.id, ...(task.after ?? []).filter((before) => view.task(before)?.status === 'failed')];
  const headers = new Set<string>();
  for (const id of near) {
    for (const cycle of view.cyclesOf(id)) {
      if (cycle.configured && !headers.has(cycle.header) && restartPending(view, cycle)) headers.add(cycle.header);
    }
  }
  return [...headers].sort();
}

/**
 * May this task be claimed now, and if not, why? The one answer for every reader. Costs its direct predecessors,
 * never the graph.
 */
export function readiness(view: GraphView, id: string, now: number): Readiness {
  const task = view.task(id);
  if (!task) return { id, ready: false, reasons: [{ code: 'status' }] };
  const reasons: ReadinessReason[] = [];
  if (task.status !== 'open') reasons.push({ code: 'status' });
  if (task.paused === true) reasons.push({ code: 'paused' });
  if (task.unplaced === true) reasons.push({ code: 'unplaced' });
  const until = Math.max(timeOf(task.not_before), timeOf(task.ready_after));
  if (until > now) reasons.push({ code: 'time', until: new Date(until).toISOString() });
  const open: string[] = [];
  const unsuccessful: string[] = [];
  const wanted = new Set(task.after_success ?? []);
  for (const before of new Set(task.after ?? [])) {
    const predecessor = view.task(before);
    if (isExempt(view, task, before)) continue;
    if (!predecessor) continue; // an unknown predecessor never holds anything up; `check` tells about it
    if (!isTerminal(predecessor.status)) open.push(before);
    else if (wanted.has(before) && predecessor.status !== 'done') unsuccessful.push(before);
  }
  if (open.length > 0) reasons.push({ code: 'predecessor', ids: open.sort() });
  if (unsuccessful.length > 0) reasons.push({ code: 'needs-success', ids: unsuccessful.sort() });
  const restarts = task.status === 'open' && view.mayIterate() ? restartsAround(view, task) : [];
  if (restarts.length > 0) reasons.push({ code: 'cycle-restart', ids: restarts });
  return { id, ready: reasons.length === 0, reasons };
}
