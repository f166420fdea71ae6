import { type Coordination, NO_COORDINATION } from '#core/analysis/coordination.js';
import type { Context } from '#operations/operation.js';

/** What the coordinator of this process says; where there is none, no other process has one either, or it would be asked. */
export function coordinationIn(context: Context): Coordination {
  const facts = context.coordinator?.();
  if (!facts) return NO_COORDINATION;
  return { running: true, paused: facts.paused, alive: facts.alive, most: facts.maxAgents };
}
