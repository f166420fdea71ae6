import { LIMITS } from '#kernel/limits.js';

/** Number of events after its last snapshot that a process which keeps a graph of this size leaves to readers. */
export function longTail(nodes: number): number {
  return Math.max(LIMITS.snapshotTailEvents, nodes / LIMITS.snapshotNodesAnEvent);
}
