import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { compareText } from '#kernel/order.js';
import { shellWord } from '#kernel/text.js';
import type { Agency } from './agency.js';
import type { Agent } from './entities.js';
import { type AgentLoad, compareFit, eligible, isFitting, type Match, matchesOf } from './match.js';
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
 * The agent that a task goes to by rules: best fit, then the best outlook, where having no room counts as a lower one, then
 * how the pair did on tasks with a tag in common, then who has least to do. Every so often it is, of those who
 * fit equally and may yet be the best, the one with fewest scores. Where nothing in the task speaks for anybody, only what is
 * known of agents decides. Never by chance. Errors: `no_candidate`.
 */
export function choose(agency: Agency, view: GraphView, task: Task, load: AgentLoad, terms: ChoiceTerms): Choice {
  const ranked = rankedFor(agency, view, task, load, terms);
  const [best] = ranked;
  if (!best) {
    throw new TroupeError('no_candidate', {
      what: `No agent matches ${task.id}.`,
      hint: `See who could take it with \`troupe match ${shellWord(task.id)}\`, then \`troupe assign ${shellWord(task.id)} AGENT\`; without an agent it runs unassigned.`,
      details: { id: task.id },
    });
  }
  const equals = ranked.filter(({ match }) => compareIfFitting(match, best.match) === 0);
  const surest = equals.reduce((first, one) => (expectedOf(one) > expectedOf(first) ? one : first), best);
  const hopeful = isExploring(agency, terms.exploration) ? hopefulOf(equals, surest) : [];
  const choice = hopeful.reduce(
    (least, one) => (one.outlook.count < least.outlook.count ? one : least),
    hopeful[0] ?? best,
  );
  const isSurest = expectedOf(choice) >= expectedOf(surest) && choice.outlook.count >= surest.outlook.count;
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

/** Agents that could and may take it, in match order: as they are told to whoever chooses. */
export function candidatesOf(agency: Agency, task: Task, load: AgentLoad, barred: ReadonlySet<string>): Candidate[] {
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
function hopefulOf(equals: readonly RankedAgent[], surest: RankedAgent): RankedAgent[] {
  return equals.filter((one) => expectedOf(one) + one.outlook.bonus >= expectedOf(surest));
}

/** The score that somebody may be expected to bring; work that has to wait for them is worth less. */
function expectedOf({ outlook, match }: RankedAgent): number {
  return outlook.expected - (match.available ? 0 : AGENCY_LIMITS.noRoomDiscount);
}

/** Trust is worth something beside what fits, and nothing by itself. */
function compareIfFitting(left: Match, right: Match): number {
  return isFitting(left) || isFitting(right) ? compareFit(left, right) : 0;
}

/** Agents that rules choose among, the best first. */
function rankedFor(
  agency: Agency,
  view: GraphView,
  task: Task,
  load: AgentLoad,
  { people, exploration, barred }: ChoiceTerms,
): RankedAgent[] {
  const all = candidatesOf(agency, task, load, barred);
  const may = new Set(
    eligible(
      agency,
      all.map(({ match }) => match),
    ),
  );
  const candidates = all.filter(({ match }) => may.has(match));
  const agents = candidates.map(({ agent }) => agent);
  const outlooks = outlooksOf(agency, agents, people, exploration);
  const ranked = candidates.flatMap(({ match, agent }) => {
    const outlook = outlooks.get(agent.id);
    return outlook ? [{ match, agent, outlook, together: synergyOf(agency, view, task, agent, people) }] : [];
  });
  return ranked.sort(
    (left, right) =>
      compareIfFitting(left.match, right.match) ||
      mostOf(right) - mostOf(left) ||
      knownIn(right) - knownIn(left) ||
      right.together - left.together ||
      compareFit(left.match, right.match) ||
      (load.open.get(left.agent.id) ?? 0) - (load.open.get(right.agent.id) ?? 0) ||
      compareText(left.agent.id, right.agent.id),
  );
}

/** Being unknown is worth something only to agents for whom something in the task speaks. */
function bonusOf({ match, outlook }: RankedAgent): number {
  return isFitting(match) ? outlook.bonus : 0;
}

/** Where nothing speaks for anybody, having scores at all decides between equals. */
function knownIn({ match, outlook }: RankedAgent): number {
  return isFitting(match) ? 0 : Number(outlook.count > 0);
}

function mostOf(one: RankedAgent): number {
  return expectedOf(one) + bonusOf(one);
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

function whatFits({ matched_skills: skills, matched_words: words }: Match): string {
  if (skills.length > 0) return `has ${skills.join(', ')}`;
  return words.length > 0 ? `fits ${words.join(', ')} in its title or tags` : 'nothing in the task speaks for anyone';
}

function sayWhy(one: RankedAgent, exploration: boolean): string {
  const { match, outlook } = one;
  const { expected, count } = outlook;
  const bonus = bonusOf(one);
  const parts = [
    whatFits(match),
    match.trust_level === 'verified' ? 'is trusted' : '',
    match.available ? 'has room' : 'is busy',
    `${expected.toFixed(2)} expected after ${count} ${count === 1 ? 'score' : 'scores'}${bonus > 0 ? `, plus ${bonus.toFixed(2)} for uncertainty` : ''}`,
    exploration ? 'exploration: few scores for this pair' : '',
  ];
  return parts.filter((part) => part !== '').join('; ');
}
