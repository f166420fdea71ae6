/**
 * `decide(snapshot, now)`, split into the parts of a round: which runs are settled or stopped, and which tasks start.
 * @packageDocumentation
 */

import { type AgencyDecision, assign, create, NO_AGENCY, type WithAgency } from './agency.js';
import { breaker } from './breakers.js';
import { sessions } from './chat.js';
import { checkpoints } from './checkpoints.js';
import { providers } from './client-holds.js';
import { completion } from './complete.js';
import { conversations } from './conversations.js';
import { dispatch } from './dispatch.js';
import { compaction, waits } from './due.js';
import { formations } from './formations.js';
import { people } from './people.js';
import { places } from './placing.js';
import { runs } from './reap.js';
import { messages } from './resurrect.js';
import { reviews } from './reviews.js';
import { evaluate, flip } from './scoring.js';
import type { CommonFacts } from './snapshot.js';
import { type AllOf, type DecisionOf, type FactsOf, type Part, Tick } from './tick.js';
import { workflows } from './triggers.js';

/** Who does the work, and how good it was: phases 3 to 4.5. */
export const agency: Part<WithAgency, AgencyDecision> = {
  none: { agency: NO_AGENCY },
  decide: (tick) => {
    create(tick);
    assign(tick);
    evaluate(tick);
    flip(tick);
  },
};

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
  reviews,
  conversations,
  messages,
  places,
  workflows,
  formations,
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
export type CoordinatorDecision = DecisionOf<(typeof PARTS)[PartName]>;

/** What is known where there is nothing to know. */
export const NO_FACTS: PartFacts = Object.assign({}, ...Object.values(PARTS).map(({ none }) => none));

/**
 * One pass of the coordinator, pure: the same snapshot and time give the same decisions, whatever the order of the
 * lists. Later parts see what earlier ones decided, so that a task freed by an exit starts in the same pass.
 */
export function decide(snapshot: CoordinatorSnapshot, now: number): CoordinatorDecision[] {
  const decisions: CoordinatorDecision[] = [];
  const tick = new Tick<CoordinatorSnapshot, CoordinatorDecision>(snapshot, now, (decision) =>
    decisions.push(decision),
  );
  for (const part of Object.values(PARTS)) part.decide(tick);
  return decisions;
}
