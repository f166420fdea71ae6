import type { Agency } from '#core/agency/agency.js';
import type { Agent, Role, Tradeoff } from '#core/agency/entities.js';
import { trialIdentity } from '#core/agency/trial-identity.js';
import { AGENT } from '#core/graph/assignee.js';
import type { Task } from '#core/graph/task.js';
import { trialOf } from '#core/graph/trial.js';
import type { CastTeam } from '#core/squad/team.js';
import { TroupeError } from '#kernel/errors.js';
import { loadAgency } from '#operations/load-agency.js';
import type { Context } from '#operations/operation.js';

/** The team, for those who can do without: one that cannot be read, as where two layouts disagree, names nobody. */
export async function readableTeam(context: Pick<Context, 'squad'>): Promise<CastTeam | undefined> {
  try {
    return await (await context.squad()).readTeam();
  } catch (error) {
    if (error instanceof TroupeError) return undefined;
    throw error;
  }
}

/** The agent that a member of the team is; undefined where there is no such member or agent. */
export async function memberAgent(
  context: Pick<Context, 'squad'>,
  agency: Agency,
  member: string | undefined,
): Promise<Agent | undefined> {
  if (member === undefined) return undefined;
  const team = await readableTeam(context);
  const memberName = member.toLowerCase();
  const agentId = team?.members.find(({ name }) => name.toLowerCase() === memberName)?.agentId;
  return agentId === undefined ? undefined : acceptedAgent(agency, agentId);
}

/** Undefined also where nobody here has accepted the agent, its role or its trade-off: of such nothing is told to anybody. */
function acceptedAgent(agency: Agency, id: string): Agent | undefined {
  const agent = agency.agent(id);
  return agent && agency.waitingIn(agent).length === 0 ? agent : undefined;
}

/** Whom a task is for, with what makes them so. */
export interface Assignee {
  readonly agent: Agent;
  readonly role: Role | undefined;
  readonly tradeoff: Tradeoff | undefined;
  /** The task names no agent: its member is one. */
  readonly byMember: boolean;
}

/** Undefined for a task that is for nobody, or for somebody who is not here. A member of the team is an agent too. */
export async function assignedTo(
  context: Pick<Context, 'agency' | 'graph' | 'squad'>,
  task: Task,
): Promise<Assignee | undefined> {
  const id = AGENT.of(task);
  const { member } = task;
  if (typeof id !== 'string' && member === undefined) return undefined;
  const agency = await loadAgency(context);
  const byMember = typeof id !== 'string';
  const agent = byMember ? await memberAgent(context, agency, member) : acceptedAgent(agency, id);
  if (agent === undefined) return undefined;
  const trial = trialOf(task);
  // Who tries something is told what is tried, instead of what the agent is made of.
  if (trial) return { agent, ...trialIdentity(trial), byMember };
  return { agent, role: agency.role(agent.role_id), tradeoff: agency.tradeoff(agent.tradeoff_id), byMember };
}

/** How they want to be run; what the task itself says goes before. */
export function executionSources(assigned: Assignee | undefined) {
  if (!assigned) return {};
  const { agent, role, byMember } = assigned;
  const of = { mode: role?.default_exec_mode, scope: role?.default_context_scope };
  if (byMember) return { role: of }; // which client a team works with, the settings say
  return {
    role: of,
    agent: { executor: agent.executor, model: agent.preferred_model, provider: agent.preferred_provider },
  };
}
