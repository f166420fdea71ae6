/**
 * `decide(snapshot, now)`, by the parts of a round: which runs are settled or ended, and which tasks start.
 * @packageDocumentation
 */
import { agency } from '#core/coordinator/agency-part.js';
import { breaker } from '#core/coordinator/breakers.js';
import { sessions } from '#core/coordinator/chat.js';
import { checkpoints } from '#core/coordinator/checkpoints.js';
import { providers } from '#core/coordinator/client-holds.js';
import { compaction } from '#core/coordinator/compaction.js';
import { completion } from '#core/coordinator/complete.js';
import { dispatch } from '#core/coordinator/dispatch.js';
import { waits } from '#core/coordinator/due.js';
import type { AllOf, DecisionOf, FactsOf } from '#core/coordinator/part.js';
import { people } from '#core/coordinator/people.js';
import { places } from '#core/coordinator/placing.js';
import { runs } from '#core/coordinator/reap.js';
import { messages } from '#core/coordinator/resurrect.js';
import type { CommonFacts } from '#core/coordinator/snapshot.js';
import { workflows } from '#core/coordinator/triggers.js';

/**
 * The parts of a round. They decide in this order, always; one that has nothing to do costs nothing. Each has a host of the same
 * name in operations, which finds out its facts and carries its decisions out.
 */
export const PARTS = {
  sessions,
  providers,
  runs,
  breaker,
  checkpoints,
  waits,
  messages,
  places,
  workflows,
  agency,
  people,
  completion,
  dispatch,
  compaction,
};

export type PartName = keyof typeof PARTS;

/** The facts of all parts. */
export type PartFacts = AllOf<FactsOf<(typeof PARTS)[PartName]>>;

/** Everything a tick may look at. */
export type CoordinatorSnapshot = PartFacts & CommonFacts;

/** One thing the coordinator wants, whichever part wants it. */
export type Decision = DecisionOf<(typeof PARTS)[PartName]>;

/** What is known where there is nothing to know. */
export const NO_FACTS: PartFacts = Object.assign({}, ...Object.values(PARTS).map(({ none }) => none));
