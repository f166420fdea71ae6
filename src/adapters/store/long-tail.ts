import { WORK_LIMITS } from '#kernel/limits/work.js';

/** Number of events after its last snapshot that a process which keeps a graph of this size leaves to readers. */
export function longTail(nodes: number): number {
  return Math.max(WORK_LIMITS.snapshotTailEvents, nodes / WORK_LIMITS.snapshotNodesAnEvent);
}
