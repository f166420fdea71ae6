// An agent for a task that nobody matches, of roles and trade-offs that are there.
import type { Task } from '#core/graph/task.js';
import { TroupeError } from '#kernel/errors.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import type { Agency } from './agency.js';
import type { Agent, Role, Tradeoff } from './entities.js';
import { type Maker, newAgent } from './entity-edits.js';
import { agentText, idOf } from './entity-text.js';
import { bestOf, pairOf, workingRoles } from './pairing.js';
import { meanOfPrograms } from './scores.js';
import { GENERIC } from './starters.js';

/** What agents that are made by themselves say of who made them. */
export const PROVIDER = 'auto-create';
const DAY_MS = 24 * 60 * 60 * 1_000;

/** May another agent be made by itself by now? Only so many a day. */
export function mayProvide(agency: Agency, now: number): boolean {
  const agents = [...agency.all('agent'), ...agency.all('agent', true)];
  const recent = agents.filter(
    ({ lineage }) => lineage.created_by === PROVIDER && now - Date.parse(lineage.created_at) < DAY_MS,
  );
  return recent.length < AGENCY_LIMITS.agentsMadePerDay;
}

/**
 * The agent that is made for a task: of the role that shares most words with the skills it needs (of one that needs none, the
 * role with the best mean), beside the best trade-off that it is not paired with yet. No role and no trade-off is made.
 * Errors: `no_candidate` where no role covers any of it or all pairs are there, `too_many` for the day.
 */
export function providedFor(
  agency: Agency,
  task: Pick<Task, 'id' | 'skills'>,
  people: ReadonlySet<string>,
  maker: Maker,
): Agent {
  if (!mayProvide(agency, maker.now)) {
    throw new TroupeError('too_many', {
      what: `${AGENCY_LIMITS.agentsMadePerDay} agents were created automatically within a day.`,
      hint: 'Create one yourself with `troupe agent create`.',
    });
  }
  const skills = task.skills ?? [];
  const isFree = (role: Role) => (tradeoff: { readonly id: string }) =>
    agency.agent(idOf(agentText(role.id, tradeoff.id))) === undefined;
  const roles = workingRoles(agency).filter((role) => agency.all('tradeoff').some(isFree(role)));
  const most = Math.max(...roles.map((role) => coveredBy(role, skills).length));
  const fitting = roles.filter((role) => coveredBy(role, skills).length === most);
  const role = skills.length > 0 && most === 0 ? undefined : bestOf(agency, fitting, people);
  const tradeoff = role && bestOf(agency, agency.all('tradeoff').filter(isFree(role)), people);
  if (!role || !tradeoff) {
    throw new TroupeError('no_candidate', { what: `No existing role fits ${task.id}.`, details: { id: task.id } });
  }
  const draft = { ...GENERIC, ...pairOf(role, tradeoff), capabilities: coveredBy(role, skills) };
  return newAgent(agency, draft, false, maker);
}

/** Why the agent that was made for a task is of these two, as its log says it. */
export function whyProvided(agency: Agency, agent: Agent, people: ReadonlySet<string>): string {
  const [role, tradeoff] = [agency.role(agent.role_id), agency.tradeoff(agent.tradeoff_id)];
  const mean = (entity: Role | Tradeoff | undefined) => {
    const score = entity && meanOfPrograms(agency, entity, people);
    return typeof score === 'number' ? `scored ${score.toFixed(2)} so far` : 'has no score yet';
  };
  const covers =
    agent.capabilities.length > 0 ? `shares words with ${agent.capabilities.join(', ')}` : 'is the best there is';
  return [
    `no agent matched; ${role?.name ?? ''} ${covers} and ${mean(role)}`,
    `${tradeoff?.name ?? ''} is the best it was not paired with and ${mean(tradeoff)}`,
  ].join('; ');
}

/** The skills of a task that share a word with the named skills of a role. */
function coveredBy(role: Role, skills: readonly string[]): string[] {
  const known = new Set(role.skills.flatMap((skill) => ('name' in skill ? wordsOf(skill.name) : [])));
  return skills.filter((skill) => wordsOf(skill).some((word) => known.has(word)));
}

function wordsOf(text: string): string[] {
  return text
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}+#]+/u)
    .filter((word) => word !== '');
}
