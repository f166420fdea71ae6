import type { RunFact, Terms } from '#core/coordinator/snapshot.js';
import type { Task } from '#core/graph/task.js';

interface Quiet {
  readonly task: Task | undefined;
  readonly idleMs: number;
  readonly leaseGraceMs: number;
  /** Time until which nothing about the run can become due. */
  readonly until: number;
}

/**
 * Runs about which nothing was to be decided, by their facts, which are other objects as soon as anything about the run
 * changes. Of ten thousand runs few change between two passes.
 */
const QUIET = new WeakMap<RunFact, Quiet>();

/** Whether a run is as it was when nothing was to be decided about it, and nothing has become due since. */
export function isQuiet(run: RunFact, task: Task | undefined, now: number, { idleMs, leaseGraceMs }: Terms): boolean {
  const quiet = QUIET.get(run);
  if (quiet === undefined || quiet.task !== task || now > quiet.until) return false;
  return quiet.idleMs === idleMs && quiet.leaseGraceMs === leaseGraceMs;
}

/** Remembers that nothing was to be decided about a run before its lease, its time or its patience ends. */
export function remainsQuiet(run: RunFact, task: Task | undefined, { idleMs, leaseGraceMs }: Terms): void {
  const until = Math.min(
    run.startedAt + run.timeoutMs,
    run.leaseUntil === undefined ? Number.POSITIVE_INFINITY : run.leaseUntil + leaseGraceMs,
    run.progressAt === undefined ? Number.POSITIVE_INFINITY : run.progressAt + idleMs,
  );
  QUIET.set(run, { task, idleMs, leaseGraceMs, until });
}
