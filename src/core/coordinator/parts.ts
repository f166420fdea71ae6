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
import { issues } from './issues.js';
import { notices } from './notices.js';
import { people } from './people.js';
import { places } from './placing.js';
import { runs } from './reap.js';
import { messages } from './resurrect.js';
import { reviews } from './reviews.js';
import { evaluate, flip } from './scoring.js';
import type { CommonFacts } from './snapshot.js';
import { type AllOf, type DecisionOf, type FactsOf, type Part, Tick } from './tick.js';
import { workflows } from './triggers.js';

/** Phases 3 to 4.5: assigns agents to tasks and evaluates their work. */
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
 * The parts of a pass, always called in this order; a part without work costs nothing. Each has a host of the same name
 * in operations, which gathers its facts and carries out its decisions.
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
  issues,
  notices,
};

export type PartName = keyof typeof PARTS;

export type PartFacts = AllOf<FactsOf<(typeof PARTS)[PartName]>>;

/** All facts of a tick. */
export type CoordinatorSnapshot = PartFacts & CommonFacts;

/** A decision of any part. */
export type CoordinatorDecision = DecisionOf<(typeof PARTS)[PartName]>;

/** Facts with which no part decides anything. */
export const NO_FACTS: PartFacts = Object.assign({}, ...Object.values(PARTS).map(({ none }) => none));

/**
 * One pass of the coordinator as a pure function: the same snapshot and time give the same decisions, regardless of the
 * order of the lists. Later parts see the decisions of earlier ones: a task freed by an exit starts in the same pass.
 */
export function decide(snapshot: CoordinatorSnapshot, now: number): CoordinatorDecision[] {
  const decisions: CoordinatorDecision[] = [];
  const tick = new Tick<CoordinatorSnapshot, CoordinatorDecision>(snapshot, now, (decision) =>
    decisions.push(decision),
  );
  for (const part of Object.values(PARTS)) part.decide(tick);
  return decisions;
}
