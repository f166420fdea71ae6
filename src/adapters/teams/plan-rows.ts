import { writeOutbox } from '#adapters/teams-database/outbox-rows.js';
import type { AnsweredBy, Statements } from '#adapters/teams-database/statement.js';
import type { TeamPlan, TeamQueries } from '#core/teams/changes.js';
import { followed, moveArtifacts, writeArtifacts, writeFollowed } from './artifact-rows.js';
import { TALK_ANSWERS, writeTalk } from './talk-rows.js';
import { storedTeam, teamLabels, writeEvents, writeTeam } from './team-rows.js';

/** Queries of a team decision; each runs only when it is needed. */
export const TEAM_ANSWERS: AnsweredBy<TeamQueries> = {
  ...TALK_ANSWERS,
  labels: teamLabels,
  team: storedTeam,
  followed,
};

/** Writes a plan within the transaction that answered its queries. */
export function* writeTeamPlan(plan: TeamPlan<unknown>, at: number): Statements<void> {
  if (plan.team) yield* writeTeam(plan.team);
  yield* writeTalk(plan.talk);
  yield* writeEvents(plan.events);
  yield* writeArtifacts(plan.artifacts);
  yield* moveArtifacts(plan.moves);
  yield* writeFollowed(plan.followed);
  yield* writeOutbox(plan.outbox, at);
}
