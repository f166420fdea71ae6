import type { Agent, Role, Tradeoff } from '#core/agency/entities.js';
import type { Task } from '#core/graph/task.js';
import type { Context } from '#operations/operation.js';
import { loadAgency } from './open.js';

/** Whom a task is for, with what makes them so. */
export interface Assigned {
  readonly agent: Agent;
  readonly role: Role | undefined;
  readonly tradeoff: Tradeoff | undefined;
}

/** Undefined for a task that is for nobody, or for somebody who is not here. */
export async function assignedTo(
  context: Pick<Context, 'agency' | 'graph'>,
  task: Task,
): Promise<Assigned | undefined> {
  const id = task['agent'];
  if (typeof id !== 'string') return undefined;
  const agency = await loadAgency(context);
  const agent = agency.agent(id);
  return agent && { agent, role: agency.role(agent.role_id), tradeoff: agency.tradeoff(agent.tradeoff_id) };
}

/** How they want to be run; what the task itself says goes before. */
export function executionSources(assigned: Assigned | undefined) {
  if (!assigned) return {};
  const { agent, role } = assigned;
  return {
    role: { mode: role?.default_exec_mode, scope: role?.default_context_scope },
    agent: { executor: agent.executor, model: agent.preferred_model, provider: agent.preferred_provider },
  };
}
