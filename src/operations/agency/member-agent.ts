import type { Agency } from '#core/agency/agency.js';
import type { Agent } from '#core/agency/entities.js';
import type { Team } from '#core/casting/team.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';

/** The agent that a member of the team is; undefined where there is no such member or agent. */
export async function memberAgent(
  context: Pick<Context, 'squad'>,
  agency: Agency,
  member: string | undefined,
): Promise<Agent | undefined> {
  if (member === undefined) return undefined;
  const team = await readTeam(context);
  const wanted = member.toLowerCase();
  const agentId = team?.members.find(({ name }) => name.toLowerCase() === wanted)?.agentId;
  return agentId === undefined ? undefined : agency.agent(agentId);
}

async function readTeam(context: Pick<Context, 'squad'>): Promise<Team | undefined> {
  try {
    return await (await context.squad()).readTeam();
  } catch (error) {
    if (error instanceof TroupeError) return undefined; // a team that cannot be read names nobody
    throw error;
  }
}
