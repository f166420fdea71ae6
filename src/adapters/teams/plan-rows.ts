import type { Database } from '#adapters/teams-database/database.js';
import { writeOutbox } from '#adapters/teams-database/outbox-rows.js';
import type { TeamPlan, TeamsAnswers } from '#core/teams/changes.js';
import { followedIn, moveArtifacts, writeArtifacts, writeFollowed } from './artifact-rows.js';
import { talkAnswersIn, writeTalk } from './talk-rows.js';
import { labelsIn, teamIn, writeEvents, writeTeam } from './team-rows.js';

/** Nothing is read before it is asked for. */
export function teamAnswersIn(database: Database): TeamsAnswers {
  return {
    ...talkAnswersIn(database),
    labels: () => labelsIn(database),
    team: (id) => teamIn(database, id),
    followed: () => followedIn(database),
  };
}

/** Within the transaction in which its queries were answered. */
export function writeTeamPlan(
  database: Database,
  { team, events, outbox, talk, artifacts, moves, followed }: TeamPlan<unknown>,
  at: number,
): void {
  if (team) writeTeam(database, team);
  writeTalk(database, talk);
  writeEvents(database, events);
  writeArtifacts(database, artifacts);
  moveArtifacts(database, moves);
  writeFollowed(database, followed);
  writeOutbox(database, outbox, at);
}
