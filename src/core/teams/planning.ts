import type { Queried } from '#kernel/query.js';
import { uuidOf } from '#kernel/uuid.js';
import { activeTeam, isPlaceholder, NOTHING, type TeamCall, type TeamPlan, type TeamsView } from './changes.js';
import { systemMessage } from './say.js';
import { replanStrata, type Strata, type StrataTry, settledStrata, strataUnderWay } from './strata.js';
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
  }: { readonly attempt: StrataTry; readonly outcome: PlanningOutcome; readonly fence: number },
  call: TeamCall,
): Queried<TeamPlan<{ readonly team: Team; readonly strata: Strata }>> {
  const team = yield* activeTeam(view, teamId);
  const strata = settledStrata(yield* view.strata(team.id), attempt, outcome, fence);
  const { version, tries } = strata;
  const id = uuidOf(`planned ${team.id} ${version} ${tries}`);
  const notice = systemMessage(team, { id, body: newsOf(outcome, leaderOf(team)?.name), to: [], at: call.at });
  return {
    ...NOTHING,
    events: [
      {
        teamId: team.id,
        at: call.at,
        by: call.by,
        kind: `strata-${outcome.state}`,
        payload: { version, tries, sha256: strata.sha256 },
      },
    ],
    talk: { ...NO_TALK, strata: [strata], messages: [notice] },
    result: { team, strata },
  };
}

function newsOf(outcome: PlanningOutcome, leader = 'The team'): string {
  if (outcome.state === 'failed') return `There is no plan: ${outcome.reason} ${leader} goes on without one.`;
  if (outcome.state === 'skipped') return `${leader} decided that no plan is needed.`;
  return [`The plan is ready: ${outcome.plan.objective}`, ...outcome.warnings].join('\n');
}

/** Starts another plan on request of a person. Errors: `wrong_status`, `leader_required`, those of every change. */
export function* replanTeam(
  view: TeamsView,
  word: string,
  call: TeamCall,
): Queried<TeamPlan<{ readonly team: Team; readonly strata: Strata }>> {
  const team = yield* activeTeam(view, word);
  const strata = replanStrata(yield* view.strata(team.id), team, call.at);
  return {
    ...NOTHING,
    events: [
      {
        teamId: team.id,
        at: call.at,
        by: call.by,
        kind: 'strata-planning',
        payload: { version: strata.version, tries: strata.tries },
      },
    ],
    outbox: [planningRow(team, strata, call)],
    talk: { ...NO_TALK, strata: [strata] },
    result: { team, strata },
  };
}

/**
 * Whether the first plan of this team should also propose a name: the team has a placeholder name and no earlier
 * attempt asked for one.
 */
export function wantsName(team: Team, strata: readonly Strata[]): boolean {
  const row = strataUnderWay(strata);
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
    ...NOTHING,
    team: after,
    events: after ? eventsBetween(team, after, call) : [],
    result: after ?? team,
  };
}
