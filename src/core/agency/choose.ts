import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import type { Agency } from './agency.js';
import type { Agent } from './entities.js';
import { type Load, type Match, matchesOf } from './match.js';
import { type ExplorationTerms, type Outlook, outlooksOf } from './outlook.js';
import { meanOf, scoresOfPrograms } from './scores.js';

export interface Choice {
  readonly agent: Agent;
  readonly reason: string;
  /** Somebody little is known of was taken among equals. */
  readonly exploration: boolean;
}

/** By whom and how it is chosen where nobody says. */
export interface ChoiceTerms {
  /** The ids of agents that are people: what they did says nothing of a pair. */
  readonly people: ReadonlySet<string>;
  readonly exploration: ExplorationTerms;
  /** The ids of agents that may not take this very task. */
  readonly barred: ReadonlySet<string>;
}

/**
 * Whom a task goes to when nobody else says: best match, then who may turn out best by what scores say and how few there
 * are, then how the pair did on tasks with a tag in common, then who has least to do. Every so often it is, of those who
 * match equally and may yet be the best, the one with fewest scores. Never by chance. Errors: `no_candidate`.
 */
export function choose(agency: Agency, view: GraphView, task: Task, load: Load, terms: ChoiceTerms): Choice {
  const ranked = rankedFor(agency, view, task, load, terms);
  const [best] = ranked;
  if (!best) {
    throw new TroupeError('no_candidate', { what: `No agent matches ${task.id}.`, details: { id: task.id } });
  }
  const equals = ranked.filter(
    ({ match }) => match.score === best.match.score && match.available === best.match.available,
  );
  const surest = equals.reduce((first, one) => (one.outlook.expected > first.outlook.expected ? one : first), best);
  const hopeful = isExploring(agency, terms.exploration) ? hopefulOf(equals, surest) : [];
  const choice = hopeful.reduce(
    (least, one) => (one.outlook.count < least.outlook.count ? one : least),
    hopeful[0] ?? best,
  );
  const isSurest = choice.outlook.expected >= surest.outlook.expected && choice.outlook.count >= surest.outlook.count;
  const exploration = hopeful.length > 1 || !isSurest;
  return { agent: choice.agent, reason: sayWhy(choice, exploration), exploration };
}

/** Somebody who could take a task. */
export interface Candidate {
  readonly match: Match;
  readonly agent: Agent;
}

interface RankedAgent extends Candidate {
  readonly outlook: Outlook;
}

/** All who could and may take it, in match order: as they are told to whoever chooses. */
export function candidatesOf(agency: Agency, task: Task, load: Load, barred: ReadonlySet<string>): Candidate[] {
  return matchesOf(agency, task, load).flatMap((match) => {
    const agent = barred.has(match.agent_id) ? undefined : agency.agent(match.agent_id);
    return agent ? [{ match, agent }] : [];
  });
}

/** Does the next assignment without a person go to somebody little is known of? */
export function isExploring(agency: Agency, { every }: ExplorationTerms): boolean {
  return (agency.assignments + 1) % every === 0;
}

/** Those who may, by what is not known of them, be as good as whoever is expected to be the best. */
function hopefulOf(equals: readonly RankedAgent[], { outlook: surest }: RankedAgent): RankedAgent[] {
  return equals.filter(({ outlook: { expected, bonus } }) => expected + bonus >= surest.expected);
}

/** All who could take it, whom rules choose first. */
function rankedFor(
  agency: Agency,
  view: GraphView,
  task: Task,
  load: Load,
  { people, exploration, barred }: ChoiceTerms,
): RankedAgent[] {
  const candidates = candidatesOf(agency, task, load, barred);
  const agents = candidates.map(({ agent }) => agent);
  const outlooks = outlooksOf(agency, agents, people, exploration);
  const ranked = candidates.flatMap(({ match, agent }) => {
    const outlook = outlooks.get(agent.id);
    return outlook ? [{ match, agent, outlook, together: synergyOf(agency, view, task, agent, people) }] : [];
  });
  return ranked.sort(
    (left, right) =>
      right.match.score - left.match.score ||
      Number(right.match.available) - Number(left.match.available) ||
      mostOf(right.outlook) - mostOf(left.outlook) ||
      right.together - left.together ||
      (load.open.get(left.agent.id) ?? 0) - (load.open.get(right.agent.id) ?? 0) ||
      (left.agent.id < right.agent.id ? -1 : 1),
  );
}

function mostOf({ expected, bonus }: Outlook): number {
  return expected + bonus;
}

/** The mean of what role and trade-off scored together on tasks that share a tag with this one; -1 where there is nothing. */
function synergyOf(agency: Agency, view: GraphView, task: Task, agent: Agent, people: ReadonlySet<string>): number {
  const tags = new Set(task.tags ?? []);
  if (tags.size === 0) return -1;
  const scores = scoresOfPrograms(agency, agency.role(agent.role_id) ?? agent, people)
    .filter(({ context_id }) => context_id === agent.tradeoff_id || context_id === agent.role_id)
    .filter(({ task_id }) => view.task(task_id)?.tags?.some((tag) => tags.has(tag)) === true)
    .map(({ score }) => score);
  return meanOf(scores) ?? -1;
}

function sayWhy({ match, outlook }: RankedAgent, exploration: boolean): string {
  const { expected, count, bonus } = outlook;
  const parts = [
    match.matched_skills.length > 0 ? `has ${match.matched_skills.join(', ')}` : '',
    match.trust_level === 'verified' ? 'is trusted' : '',
    match.available ? 'has room' : 'is busy',
    `${expected.toFixed(2)} expected after ${count} ${count === 1 ? 'score' : 'scores'}, plus ${bonus.toFixed(2)} for uncertainty`,
    exploration ? 'exploration: few scores for this pair' : '',
  ];
  return parts.filter((part) => part !== '').join('; ');
}
