import { type CoordinatorSnapshot, type Decision, PARTS } from '#core/coordinator/parts.js';
import { Tick } from '#core/coordinator/tick.js';

/**
 * One pass of the coordinator, pure: the same snapshot and time give the same decisions, whatever the order of the
 * lists. Later parts see what earlier ones decided, so that a task freed by an exit starts in the same pass.
 */
export function decide(snapshot: CoordinatorSnapshot, now: number): Decision[] {
  const decisions: Decision[] = [];
  const tick = new Tick<CoordinatorSnapshot, Decision>(snapshot, now, (decision) => decisions.push(decision));
  for (const part of Object.values(PARTS)) part.decide(tick);
  return decisions;
}
