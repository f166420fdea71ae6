import { isTask } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import type { Rate } from '#core/insight/rates.js';
import { memberAgent } from '#operations/agency/member-agent.js';
import { loadAgency } from '#operations/agency/open.js';
import type { Context } from '#operations/operation.js';

/**
 * What an hour of each task costs by the agents of the project; a task of a member is that of the agent the member is.
 * Undefined where no agent has a rate.
 */
export async function ratesOf(context: Context, view: GraphView): Promise<Rate | undefined> {
  const agency = await loadAgency(context);
  const known = new Map<string, number>();
  for (const { id, rate } of [...agency.all('agent'), ...agency.all('agent', true)])
    if (rate !== undefined && Number.isFinite(rate) && rate >= 0) known.set(id, rate);
  if (known.size === 0) return undefined;
  const members = new Map<string, number | undefined>();
  for (const node of view.nodes()) {
    if (!isTask(node) || node.member === undefined || members.has(node.member)) continue;
    const agent = await memberAgent(context, agency, node.member);
    members.set(node.member, agent && known.get(agent.id));
  }
  return (task) => {
    const id = task['agent'];
    if (typeof id === 'string') return known.get(id);
    return task.member === undefined ? undefined : members.get(task.member);
  };
}
