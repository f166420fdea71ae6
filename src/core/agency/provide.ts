// Creates an agent from existing roles and trade-offs for a task that no agent matches.
import type { Task } from '#core/graph/task.js';
import { TroupeError } from '#kernel/errors.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { wordStem, wordsOf } from '#kernel/words.js';
import type { Agency } from './agency.js';
import type { Agent, Role, Tradeoff } from './entities.js';
import { type Maker, newAgent } from './entity-edits.js';
import { agentText, idOf } from './entity-text.js';
import { roleNames, subjectOf, vocabularyOf, type Wanted } from './match.js';
import { bestOf, pairOf, workingRoles } from './pairing.js';
import { meanOfPrograms } from './scores.js';
import { GENERIC } from './starters.js';

/** `created_by` of agents that were created automatically. */
export const AUTO_CREATOR = 'auto-create';
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Whether another agent may be created automatically now: the number per day is limited. */
export function mayAutoCreateAgent(agency: Agency, now: number): boolean {
  const agents = [...agency.all('agent'), ...agency.all('agent', true)];
  const recent = agents.filter(
    ({ lineage }) => lineage.created_by === AUTO_CREATOR && now - Date.parse(lineage.created_at) < DAY_MS,
  );
  return recent.length < AGENCY_LIMITS.agentsMadePerDay;
}

/**
 * Creates an agent for a task, from the role that covers most of its skills (if it needs none, the role that matches
 * most words of title and tags, else the one with the best mean) and the best trade-off not yet paired with it. Never
 * creates roles or trade-offs. Errors: `no_candidate` if no role covers any skill or all pairs exist, `too_many` for
 * the day.
 */
export function providedFor(
  agency: Agency,
  task: Wanted & Pick<Task, 'id'>,
  people: ReadonlySet<string>,
  maker: Maker,
): Agent {
  if (!mayAutoCreateAgent(agency, maker.now)) {
    throw new TroupeError('too_many', {
      what: `${AGENCY_LIMITS.agentsMadePerDay} agents were created automatically within a day.`,
      hint: 'Create one yourself with `troupe agency add agent NAME`.',
    });
  }
  const skills = task.skills ?? [];
  const isFree = (role: Role) => (tradeoff: { readonly id: string }) =>
    agency.agent(idOf(agentText(role.id, tradeoff.id))) === undefined;
  const roles = workingRoles(agency).filter((role) => agency.all('tradeoff').some(isFree(role)));
  const role = bestOf(agency, fittingRoles(roles, task), people);
  const tradeoff = role && bestOf(agency, agency.all('tradeoff').filter(isFree(role)), people);
  if (!role || !tradeoff) {
    throw new TroupeError('no_candidate', { what: `No existing role fits ${task.id}.`, details: { id: task.id } });
  }
  const draft = { ...GENERIC, ...pairOf(agency, role, tradeoff), capabilities: coveredBy(role, skills) };
  return newAgent(agency, draft, false, maker);
}

/** Reason for the choice of this role and trade-off, for the task's log. */
export function whyProvided(agency: Agency, agent: Agent, people: ReadonlySet<string>): string {
  const [role, tradeoff] = [agency.role(agent.role_id), agency.tradeoff(agent.tradeoff_id)];
  const mean = (entity: Role | Tradeoff | undefined) => {
    const score = entity && meanOfPrograms(agency, entity, people);
    return typeof score === 'number' ? `scored ${score.toFixed(2)} so far` : 'has no score yet';
  };
  const covers =
    agent.capabilities.length > 0 ? `covers ${agent.capabilities.join(', ')}` : 'fits its title and tags best';
  return [
    `no agent matched; ${role?.name ?? ''} ${covers} and ${mean(role)}`,
    `${tradeoff?.name ?? ''} is the best it was not paired with and ${mean(tradeoff)}`,
  ].join('; ');
}

/** Roles that cover the task best, all with equal coverage; empty if it needs skills that no role covers. */
function fittingRoles(roles: readonly Role[], task: Wanted): readonly Role[] {
  const skills = task.skills ?? [];
  const words = [...subjectOf(task).keys()];
  const coverage = (role: Role) =>
    skills.length > 0
      ? sum(skills.map((skill) => shareOf(role, skill)))
      : words.filter((word) => vocabularyOf(roleNames(role)).has(word)).length;
  const most = Math.max(0, ...roles.map(coverage));
  return skills.length > 0 && most === 0 ? [] : roles.filter((role) => coverage(role) === most);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Skills of the task that the role covers. */
function coveredBy(role: Role, skills: readonly string[]): string[] {
  return skills.filter((skill) => shareOf(role, skill) > 0);
}

/** Fraction of a skill's words that one named skill of the role contains, if it is more than half; else 0. */
function shareOf(role: Role, skill: string): number {
  const words = wordsOf(skill).map(wordStem);
  const shares = role.skills.map((own) => {
    const known = 'name' in own ? vocabularyOf([own.name]) : new Set();
    return words.filter((word) => known.has(word)).length / words.length;
  });
  return Math.max(0, ...shares.filter((share) => share > 0.5));
}
