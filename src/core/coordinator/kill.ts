import type { BaseDecision } from '#core/coordinator/decision.js';
import type { EndReason, RunFact } from '#core/coordinator/snapshot.js';

/** A run is told to end. */
export interface KillDecision extends BaseDecision {
  readonly do: 'kill';
  readonly run: string;
  readonly task: string;
  readonly why: EndReason;
}

export function kill(run: RunFact, why: EndReason, reason: string): KillDecision {
  return { do: 'kill', run: run.id, task: run.taskId, why, reason, events: [] };
}
