import type { ReadinessReason } from '#core/graph/ready.js';

/** A readiness reason in words, as shown beside a task that does not run. */
export function sayReason(reason: ReadinessReason): string {
  switch (reason.code) {
    case 'status':
      return 'it is not open';
    case 'paused':
      return reason.ids ? `its predecessors' cycle is halted: ${reason.ids.join(', ')} is paused` : 'it is paused';
    case 'time':
      return `not before ${reason.until ?? 'later'}`;
    case 'predecessor':
      return `waits for ${(reason.ids ?? []).join(', ')}`;
    case 'unplaced':
      return 'it waits for its place in the graph';
    case 'cycle-restart':
      return `the cycle of ${(reason.ids ?? []).join(', ')} is about to begin again`;
    case 'needs-success':
      return `needs ${(reason.ids ?? []).join(', ')} to be done`;
  }
}
