import { reviews } from '#core/coordinator/reviews.js';
import { isFreeWork } from '#core/graph/team-work.js';
import type { GraphView } from '#core/graph/view.js';
import { USUAL_ESCALATION } from '#core/mail/gates.js';
import type { Team } from '#core/teams/team.js';
import type { WorkContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';
import { projectEscalation } from '#operations/project-escalation.js';
import { followGraph } from '#operations/teamwork/follow.js';
import { commitOnly, type HostOf, type HostTools } from './host.js';

/**
 * Host that reads the teams with work waiting for a review or a member. An unreadable teams.db must not stop the runs:
 * then no reviews are requested.
 */
export function reviewsHost({ onError }: Pick<HostTools, 'onError'>, context: WorkContext): HostOf<'reviews'> {
  return {
    facts: async ({ view }) => {
      try {
        const followed = view.teamSeq === 0 ? undefined : await (await context.teams()).followed();
        const teams = await teamsOf(context, view);
        const escalation = teams.size === 0 ? USUAL_ESCALATION : await projectEscalation(context);
        return { teams, escalation, followed };
      } catch (error) {
        onError(error);
        return { ...reviews.none };
      }
    },
    carryOut: {
      'ask-review': commitOnly,
      'take-work': commitOnly,
      'follow-work': async () => {
        await followGraph(context).catch(onError);
        return 0;
      },
    },
  };
}

function isFree(view: GraphView, id: string): boolean {
  const task = view.task(id);
  return task !== undefined && isFreeWork(task);
}

async function teamsOf(context: Pick<Context, 'teams'>, view: GraphView): Promise<ReadonlyMap<string, Team>> {
  const teams = new Map<string, Team>();
  if (view.teamSeq === 0) return teams; // without team work, no ready task has to be examined
  const free = [...view.candidates()].filter((id) => isFree(view, id));
  const waiting = [...view.unreviewed(), ...free];
  if (waiting.length === 0) return teams;
  const store = await context.teams();
  for (const id of waiting) {
    const of = view.task(id)?.team;
    const team = of === undefined || teams.has(of) ? undefined : await store.getTeam(of);
    if (team) teams.set(team.id, team);
  }
  return teams;
}
