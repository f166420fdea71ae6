import type { Agency } from '#core/agency/agency.js';
import type { Agent } from '#core/agency/entities.js';
import type { Context } from '#operations/operation.js';
import { readableTeam } from './readable-team.js';

/** The agent that a member of the team is; undefined where there is no such member or agent. */
export async function memberAgent(
  context: Pick<Context, 'squad'>,
  agency: Agency,
  member: string | undefined,
): Promise<Agent | undefined> {
  if (member === undefined) return undefined;
  const team = await readableTeam(context);
  const wanted = member.toLowerCase();
  const agentId = team?.members.find(({ name }) => name.toLowerCase() === wanted)?.agentId;
  return agentId === undefined ? undefined : agency.agent(agentId);
}
