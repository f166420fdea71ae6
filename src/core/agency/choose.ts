import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import type { Agency } from './agency.js';
import type { Agent, Entity, EvaluationRef } from './entities.js';
import { averageOf, type Load, type Match, matchesOf } from './match.js';

const NOBODY: ReadonlySet<string> = new Set();

export interface Choice {
  readonly agent: Agent;
  readonly reason: string;
  /** Somebody little is known of was taken among equals. */
  readonly exploration: boolean;
}

/**
 * Whom a task goes to when nobody else says: best match, then how the pair did on tasks with a tag in common, then who has
 * least to do. Every so often, of those who match equally, the one with fewest scores. Never by chance. Errors:
 * `no_candidate`.
 */
export function choose(
  agency: Agency,
  view: GraphView,
  task: Task,
  load: Load,
  people: ReadonlySet<string> = NOBODY,
): Choice {
  const ranked = rankedFor(agency, view, task, load, people);
  const [best] = ranked;
  if (!best) {
    throw new TroupeError('no_candidate', { what: `Nobody is a match for ${task.id}.`, details: { id: task.id } });
  }
  const explores = isExploring(agency);
  const equals = ranked.filter(
    ({ match }) => match.score === best.match.score && match.available === best.match.available,
  );
  const choice = explores
    ? equals.reduce((least, one) => (countOf(one.agent) < countOf(least.agent) ? one : least), best)
    : best;
  const exploration = explores && equals.length > 1;
  return { agent: choice.agent, reason: sayWhy(choice.match, choice.agent, exploration), exploration };
}

/** Somebody who could take a task. */
export interface RankedAgent {
  readonly match: Match;
  readonly agent: Agent;
}

/** Does the next assignment without a person go to somebody little is known of? */
export function isExploring(agency: Agency): boolean {
  return (agency.assignments + 1) % LIMITS.explorationEvery === 0;
}

/** All who could take it, the best first; of what was scored, what `people` did says nothing of a pair. */
export function rankedFor(
  agency: Agency,
  view: GraphView,
  task: Task,
  load: Load,
  people: ReadonlySet<string> = NOBODY,
): RankedAgent[] {
  const ranked = matchesOf(agency, task, load).flatMap((match) => {
    const agent = agency.agent(match.agent_id);
    return agent ? [{ match, agent, together: synergyOf(agency, view, task, agent, people) }] : [];
  });
  return ranked.sort(
    (left, right) =>
      right.match.score - left.match.score ||
      Number(right.match.available) - Number(left.match.available) ||
      averageOf(right.agent) - averageOf(left.agent) ||
      right.together - left.together ||
      (load.open.get(left.agent.id) ?? 0) - (load.open.get(right.agent.id) ?? 0) ||
      (left.agent.id < right.agent.id ? -1 : 1),
  );
}

/** The mean of what role and trade-off scored together on tasks that share a tag with this one; -1 where there is nothing. */
function synergyOf(agency: Agency, view: GraphView, task: Task, agent: Agent, people: ReadonlySet<string>): number {
  const tags = new Set(task.tags ?? []);
  if (tags.size === 0) return -1;
  const scores = scoresOfPrograms(agency, agency.role(agent.role_id) ?? agent, people)
    .filter(({ context_id }) => context_id === agent.tradeoff_id || context_id === agent.role_id)
    .filter(({ task_id }) => view.task(task_id)?.tags?.some((tag) => tags.has(tag)) === true)
    .map(({ score }) => score);
  return scores.length === 0 ? -1 : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

function countOf({ performance }: Agent): number {
  return performance.task_count;
}

function sayWhy(match: Match, agent: Agent, exploration: boolean): string {
  const parts = [
    match.matched_skills.length > 0 ? `has ${match.matched_skills.join(', ')}` : '',
    match.trust_level === 'verified' ? 'is trusted' : '',
    agent.performance.avg_score === null ? '' : `scored ${agent.performance.avg_score.toFixed(2)} so far`,
    match.available ? 'has room' : 'is busy',
    exploration ? 'exploration: little is known of this pair' : '',
  ];
  return parts.filter((part) => part !== '').join('; ');
}

/**
 * The scores of a record that say something of roles and trade-offs. What people did is kept and shown, and left out here:
 * nobody is made or paired by how a person did. `people`: the ids of their agents. A reference on a role names the trade-off
 * it stood beside, and the other way round; the two are one agent.
 */
export function scoresOfPrograms(
  agency: Agency,
  entity: Entity,
  people: ReadonlySet<string>,
): readonly EvaluationRef[] {
  const { evaluations } = entity.performance;
  if (people.size === 0) return evaluations;
  if (entity.kind === 'agent') return people.has(entity.id) ? [] : evaluations;
  const beside = new Set<string>();
  for (const id of people) {
    const person = agency.agent(id);
    if (person && entity.kind === 'role' && person.role_id === entity.id) beside.add(person.tradeoff_id);
    if (person && entity.kind === 'tradeoff' && person.tradeoff_id === entity.id) beside.add(person.role_id);
  }
  return evaluations.filter(({ context_id }) => !beside.has(context_id));
}
