import type { Agency } from '#core/agency/agency.js';
import type { Agent, Role, Tradeoff } from '#core/agency/entities.js';
import { trialIdentity } from '#core/agency/trial-identity.js';
import { AGENT } from '#core/graph/assignee.js';
import type { Task } from '#core/graph/task.js';
import { trialOf } from '#core/graph/trial.js';
import type { CastTeam } from '#core/squad/team.js';
import { TroupeError } from '#kernel/errors.js';
import type { WorkContext } from '#operations/contexts.js';
import { loadAgency } from '#operations/load-agency.js';
import type { Context } from '#operations/operation.js';

/**
 * The team, for callers that can do without; undefined if it cannot be read, for example because two layouts disagree.
 */
export async function readableTeam(context: Pick<Context, 'squad'>): Promise<CastTeam | undefined> {
  try {
    return await (await context.squad()).readTeam();
  } catch (error) {
    if (error instanceof TroupeError) return undefined;
    throw error;
  }
}

/** Agent of a team member; undefined if there is no such member or agent. */
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

/**
 * Undefined too if the agent, its role or its trade-off has not been accepted here: such content must not reach
 * prompts.
 */
function acceptedAgent(agency: Agency, id: string): Agent | undefined {
  const agent = agency.agent(id);
  return agent && agency.waitingIn(agent).length === 0 ? agent : undefined;
}

/** Agent of a task, with the role and trade-off that apply. */
export interface Assignee {
  readonly agent: Agent;
  readonly role: Role | undefined;
  readonly tradeoff: Tradeoff | undefined;
  /** Whether the agent comes from the task's member, not from the task itself. */
  readonly byMember: boolean;
}

/**
 * Assignee of a task; undefined for an unassigned task or an agent that does not exist here. Members of the team are
 * resolved to their agents.
 */
export async function assignedTo(context: WorkContext, task: Task): Promise<Assignee | undefined> {
  const id = AGENT.of(task);
  const { member } = task;
  if (typeof id !== 'string' && member === undefined) return undefined;
  const agency = await loadAgency(context);
  const byMember = typeof id !== 'string';
  const agent = byMember ? await memberAgent(context, agency, member) : acceptedAgent(agency, id);
  if (agent === undefined) return undefined;
  const trial = trialOf(task);
  // A trial uses the identity under test instead of the agent's own.
  if (trial) return { agent, ...trialIdentity(trial), byMember };
  return { agent, role: agency.role(agent.role_id), tradeoff: agency.tradeoff(agent.tradeoff_id), byMember };
}

/** Execution preferences of the assignee; those of the task take precedence. */
export function executionSources(assigned: Assignee | undefined) {
  if (!assigned) return {};
  const { agent, role, byMember } = assigned;
  const of = { mode: role?.default_exec_mode, scope: role?.default_context_scope };
  if (byMember) return { role: of }; // the client of a team comes from the settings
  return {
    role: of,
    agent: { executor: agent.executor, model: agent.preferred_model, provider: agent.preferred_provider },
  };
}
