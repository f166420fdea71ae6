import type { Queried } from '#kernel/query.js';
import { uuidOf } from '#kernel/uuid.js';
import { activeTeam, EMPTY_TEAM_PLAN, isPlaceholder, type TeamCall, type TeamPlan, type TeamsView } from './changes.js';
import { systemMessage } from './say.js';
import { replanStrata, type Strata, type StrataAttempt, strataAfterAttempt, strataInProgress } from './strata.js';
import type { StrataOutcome } from './strata-plan.js';
import { NO_TALK } from './talk.js';
import { leaderOf, type Team } from './team.js';
import { eventsBetween } from './team-events.js';
import { freeTeamName } from './team-name.js';
import { planningRow } from './team-tasks.js';

/** Result of a planning attempt; a failed one has a reason. */
export type PlanningOutcome = StrataOutcome | { readonly state: 'failed'; readonly reason: string };

/** Stores the leader's plan, or its absence. Errors: `stale_attempt` if this attempt is not the current one. */
export function* settlePlanning(
  view: TeamsView,
  teamId: string,
  {
    attempt,
    outcome,
    fence,
  }: { readonly attempt: StrataAttempt; readonly outcome: PlanningOutcome; readonly fence: number },
  call: TeamCall,
): Queried<TeamPlan<{ readonly team: Team; readonly strata: Strata }>> {
  const team = yield* activeTeam(view, teamId);
  const strata = strataAfterAttempt(yield* view.strata(team.id), attempt, outcome, fence);
  const { version, tries } = strata;
  const id = uuidOf(`planned ${team.id} ${version} ${tries}`);
  const notice = systemMessage(team, { id, body: planningNotice(outcome, leaderOf(team)?.name), to: [], at: call.at });
  const payload = { version, tries, sha256: strata.sha256 };
  return {
    ...EMPTY_TEAM_PLAN,
    events: [{ teamId: team.id, at: call.at, by: call.by, kind: `strata-${outcome.state}`, payload }],
    talk: { ...NO_TALK, strata: [strata], messages: [notice] },
    result: { team, strata },
  };
}

function planningNotice(outcome: PlanningOutcome, leader = 'The team'): string {
  if (outcome.state === 'failed') return `There is no plan: ${outcome.reason} ${leader} goes on without one.`;
  if (outcome.state === 'skipped') return `${leader} decided that no plan is needed.`;
  return [`The plan is ready: ${outcome.plan.objective}`, ...outcome.warnings].join('\n');
}

/** Starts another plan on request of a person. Errors: `wrong_status`, those of every change. */
export function* replanTeam(
  view: TeamsView,
  word: string,
  call: TeamCall,
): Queried<TeamPlan<{ readonly team: Team; readonly strata: Strata }>> {
  const team = yield* activeTeam(view, word);
  const strata = replanStrata(yield* view.strata(team.id), team, call.at);
  const payload = { version: strata.version, tries: strata.tries };
  return {
    ...EMPTY_TEAM_PLAN,
    events: [{ teamId: team.id, at: call.at, by: call.by, kind: 'strata-planning', payload }],
    outbox: [planningRow(team, strata, call)],
    talk: { ...NO_TALK, strata: [strata] },
    result: { team, strata },
  };
}

/**
 * Whether the first plan of this team should also propose a name: the team has a placeholder name and no earlier
 * attempt asked for one.
 */
export function needsTeamName(team: Team, strata: readonly Strata[]): boolean {
  const row = strataInProgress(strata);
  return isPlaceholder(team) && !team.nameAuto && row?.version === 1 && row.tries === 1;
}

/** Replaces the placeholder name with the proposed one; a name given by a person stays. */
export function* nameTeam(
  view: TeamsView,
  teamId: string,
  { name, reserved }: { readonly name: string; readonly reserved: string },
  call: TeamCall,
): Queried<TeamPlan<Team>> {
  const team = yield* activeTeam(view, teamId);
  const free = freeTeamName(name, yield* view.labels(), { reserved, own: team.id });
  const after = isPlaceholder(team) && !team.nameAuto ? { ...team, name: free } : undefined;
  return {
    ...EMPTY_TEAM_PLAN,
    team: after,
    events: after ? eventsBetween(team, after, call) : [],
    result: after ?? team,
  };
}
