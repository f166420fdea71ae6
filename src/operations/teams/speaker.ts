import { promptTime } from '#core/coordinator/prompt-time.js';
import type { TeamSpeaker } from '#core/teams/say.js';
import { leaderOf, presentMembers, type Team, type TeamMember } from '#core/teams/team.js';
import { TroupeError } from '#kernel/errors.js';
import { slugOf } from '#kernel/slug.js';
import { inert } from '#kernel/text.js';
import type { Context } from '#operations/operation.js';
import { participantOf } from '#operations/participant.js';

/**
 * Identifies the caller within the team. A run acts as the member whose task it holds, and only while it holds that
 * task; a person need not be on the team. Errors: `not_yours` for a run without a task of this team, `stale_attempt`.
 */
export async function teamSpeaker(context: Pick<Context, 'caller' | 'graph'>, team: Team): Promise<TeamSpeaker> {
  const { name, sender, task } = await participantOf(context, undefined);
  if (task === undefined) {
    const own = slugOf(name);
    const member = presentMembers(team).find(({ person }) => person !== null && slugOf(person) === own);
    const { position = null, slug } = member ?? {};
    return { id: sender, name: member?.name ?? name, position, member: slug, task: undefined, toldAt: undefined };
  }
  const member = task.team === team.id ? memberOf(team, task.member) : undefined;
  if (!member) {
    throw new TroupeError('not_yours', {
      what: `${inert(task.id)} is not work of ${inert(team.name)}: its run cannot write there.`,
      hint: 'Log it in your task instead.',
    });
  }
  const { position, slug } = member;
  return {
    id: agentId(team, member),
    name: member.name,
    position,
    member: slug,
    task: task.id,
    toldAt: promptTime(task),
  };
}

/** Finds the member a task is for, by slug or, as in tasks of the cast team, by name. Observers are excluded. */
export function memberOf(team: Pick<Team, 'members'>, name: string | undefined): TeamMember | undefined {
  const slug = name === undefined ? undefined : slugOf(name);
  return presentMembers(team).find((member) => member.slug === slug && member.position !== 'observer');
}

/** Returns the id that rosters use for the member. */
function agentId(team: Team, member: TeamMember): string {
  return `${slugOf(team.name)}/${leaderOf(team)?.id === member.id ? 'lead' : member.slug}`;
}
