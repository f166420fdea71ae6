import { isTerminal } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';

export type ReadinessCode = 'status' | 'paused' | 'time' | 'predecessor' | 'needs-success';

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

/** Milliseconds of a stored time; a missing or unreadable one counts as long past. */
export function timeOf(text: string | undefined): number {
  const value = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value;
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
  const until = Math.max(timeOf(task.not_before), timeOf(task.ready_after));
  if (until > now) reasons.push({ code: 'time', until: new Date(until).toISOString() });
  const open: string[] = [];
  const unsuccessful: string[] = [];
  const wanted = new Set(task.after_success ?? []);
  for (const before of new Set(task.after ?? [])) {
    const predecessor = view.task(before);
    if (!predecessor) continue; // an unknown predecessor never holds anything up; `check` tells about it
    if (!isTerminal(predecessor.status)) open.push(before);
    else if (wanted.has(before) && predecessor.status !== 'done') unsuccessful.push(before);
  }
  if (open.length > 0) reasons.push({ code: 'predecessor', ids: open.sort() });
  if (unsuccessful.length > 0) reasons.push({ code: 'needs-success', ids: unsuccessful.sort() });
  return { id, ready: reasons.length === 0, reasons };
}
