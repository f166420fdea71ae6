import type { RosterTeam } from '#core/roster/derive.js';
import { leaderOf, present, type Team, type TeamMember } from '#core/teams/team.js';
import { loadAgency } from '#operations/load-agency.js';
import type { Context } from '#operations/operation.js';

/** Those who may be written to: active, and no observers, who stand in no roster. */
export async function rosterTeam(context: Context, team: Team): Promise<RosterTeam> {
  const active = present(team).filter(({ status, position }) => status === 'active' && position !== 'observer');
  const describe = team.cast ? await castDescriptions(context) : await agentDescriptions(context, active);
  const members = await Promise.all(
    active.map(async (member) => ({ slug: member.slug, name: member.name, ...(await describe(member)) })),
  );
  return { name: team.name, leader: leaderOf(team)?.slug ?? '', members, mesh: team.mesh };
}

type Describe = (member: TeamMember) => Promise<{ readonly roleTitle: string; readonly charter: string | undefined }>;

async function castDescriptions(context: Context): Promise<Describe> {
  const squad = await context.squad();
  const cast = await squad.readTeam();
  const titles = new Map(cast?.members.map(({ slug, roleTitle }) => [slug, roleTitle]));
  return async ({ slug, name }) => ({ roleTitle: titles.get(slug) ?? '', charter: await squad.charter(name) });
}

/** What an agent of the agency does, its role says; of a person, and of whoever is neither, there is the name alone. */
async function agentDescriptions(context: Context, members: readonly TeamMember[]): Promise<Describe> {
  const agency = members.some(({ agent }) => agent !== null) ? await loadAgency(context) : undefined;
  return async ({ agent }) => {
    const role = agent === null ? undefined : agency?.role(agency.agent(agent)?.role_id ?? '');
    return { roleTitle: role?.name ?? '', charter: role?.description };
  };
}
