import { folderSlug } from '#core/catalog/member-slug.js';
import type { RosterTeam } from '#core/mail/derive.js';
import { charterPath } from '#core/squad/squad-paths.js';
import type { SquadState } from '#core/squad/squad-state.js';
import { teamOf } from '#core/squad/team.js';
import { leaderOf, presentMembers, type Team, type TeamMember } from '#core/teams/team.js';
import { loadAgency } from '#operations/load-agency.js';
import type { Context } from '#operations/operation.js';

/**
 * Returns the members that can receive messages: active ones, except observers. `squad` is read only for the cast team.
 */
export async function rosterTeam(
  context: Pick<Context, 'graph' | 'agency'>,
  team: Team,
  squad: () => Promise<SquadState>,
): Promise<RosterTeam> {
  const active = presentMembers(team).filter(({ status, position }) => status === 'active' && position !== 'observer');
  const describe = team.cast ? castDescriptions(await squad()) : await agentDescriptions(context, active);
  const members = await Promise.all(
    active.map(async (member) => ({ slug: member.slug, name: member.name, ...(await describe(member)) })),
  );
  return { name: team.name, leader: leaderOf(team)?.slug ?? '', members, mesh: team.mesh };
}

type Describe = (member: TeamMember) => Promise<{ readonly roleTitle: string; readonly charter: string | undefined }>;

function castDescriptions({ registry, history, texts }: SquadState): Describe {
  const titles = new Map(teamOf('', registry, history)?.members.map(({ slug, roleTitle }) => [slug, roleTitle]));
  // Another tool may have capitalised the folder of a member.
  const charters = new Map([...texts].map(([file, text]) => [file.toLowerCase(), text]));
  return async ({ slug, name }) => {
    const own = folderSlug(name);
    const charter = own === undefined ? undefined : charters.get(charterPath(own).toLowerCase());
    return { roleTitle: titles.get(slug) ?? '', charter };
  };
}

/** Describes agents of the agency by their role; people and other members have only their name. */
async function agentDescriptions(
  context: Pick<Context, 'graph' | 'agency'>,
  members: readonly TeamMember[],
): Promise<Describe> {
  const agency = members.some(({ agent }) => agent !== null) ? await loadAgency(context) : undefined;
  return async ({ agent }) => {
    const role = agent === null ? undefined : agency?.role(agency.agent(agent)?.role_id ?? '');
    return { roleTitle: role?.name ?? '', charter: role?.description };
  };
}
