import { NO_ERRANDS } from '#core/coordinator/errand.js';
import { type CoordinatorSnapshot, NO_FACTS } from '#core/coordinator/parts.js';
import { USUAL_TERMS } from '#core/coordinator/snapshot.js';
import { EVERY_COMMAND } from '#core/graph/commands.js';
import type { GraphView } from '#core/graph/view.js';

/** Snapshot of a graph without any other facts. */
export function quietSnapshot(view: GraphView): CoordinatorSnapshot {
  const common = { runs: [], trust: EVERY_COMMAND, paused: false, budget: undefined, terms: USUAL_TERMS };
  return { ...NO_FACTS, ...common, view, errands: NO_ERRANDS };
}
