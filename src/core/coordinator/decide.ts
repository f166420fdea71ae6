import { assign } from '#core/coordinator/agency.js';
import { zeroOutput } from '#core/coordinator/breakers.js';
import { chat } from '#core/coordinator/chat.js';
import { checkpoints } from '#core/coordinator/checkpoints.js';
import { holdClients } from '#core/coordinator/client-holds.js';
import { compaction } from '#core/coordinator/compaction.js';
import { complete } from '#core/coordinator/complete.js';
import type { Decision } from '#core/coordinator/decision.js';
import { dispatch } from '#core/coordinator/dispatch.js';
import { flip } from '#core/coordinator/flip.js';
import { people } from '#core/coordinator/people.js';
import { place } from '#core/coordinator/placing.js';
import { reap } from '#core/coordinator/reap.js';
import { resurrect } from '#core/coordinator/resurrect.js';
import { evaluate } from '#core/coordinator/scoring.js';
import type { CoordinatorSnapshot } from '#core/coordinator/snapshot.js';
import { Tick } from '#core/coordinator/tick.js';
import { triggers } from '#core/coordinator/triggers.js';
import { dueEvents } from '#core/graph/consequences.js';

/** In this order, always; a phase that has nothing to do costs nothing. */
const PHASES: readonly ((tick: Tick) => void)[] = [
  chat,
  holdClients,
  reap,
  zeroOutput,
  checkpoints,
  due,
  resurrect,
  place,
  triggers,
  assign,
  evaluate,
  flip,
  people,
  complete,
  dispatch,
  compaction,
];

/**
 * One pass of the coordinator, pure: the same snapshot and time give the same decisions, whatever the order of the
 * lists. Later phases see what earlier ones decided, so that a task freed by an exit starts in the same pass.
 */
export function decide(snapshot: CoordinatorSnapshot, now: number): Decision[] {
  const tick = new Tick(snapshot, now);
  for (const phase of PHASES) phase(tick);
  return tick.decisions;
}

/** Phases 2.5 to 2.7: cycles and waits that only time, a file or an earlier life brought to their end. */
function due(tick: Tick): void {
  const events = dueEvents(tick.graph, tick.now, tick.snapshot.files ?? new Map());
  if (events.length > 0)
    tick.decisions.push({ do: 'settle-due', reason: 'Waits and cycles whose time had come', events });
}
