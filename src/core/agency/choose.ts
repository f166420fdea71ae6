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
  /** Whether an agent with few scores was chosen among equals. */
  readonly exploration: boolean;
}

/** Terms of an automatic choice. */
export interface ChoiceTerms {
  /** Ids of agents that are people: their scores are not used to rate pairs. */
  readonly people: ReadonlySet<string>;
  readonly exploration: ExplorationTerms;
  /** Ids of agents that may not take this task. */
  readonly barred: ReadonlySet<string>;
}

/**
 * Chooses the agent of a task by rules: best fit, then best outlook (discounted if the agent has no room), then the
 * pair's scores on tasks that share a tag, then the smallest load. At every n-th assignment the choice explores: among
 * agents that fit equally and might still be the best, it takes the one with fewest scores. If no skill, title word or
 * tag matches any agent, only the agents' records count. Never random. Errors: `no_candidate`.
 */
export function choose(agency: Agency, view: GraphView, task: Task, load: AgentLoad, terms: ChoiceTerms): Choice {
  const ranked = rankedFor(agency, view, task, load, terms);
  const [best] = ranked;
  if (!best) {
    throw new TroupeError('no_candidate', {
      what: `No agent matches ${task.id}.`,
      hint: `See who could take it with \`troupe assign ${shellWord(task.id)} --list\`, then \`troupe assign ${shellWord(task.id)} AGENT\`; without an agent it runs unassigned.`,
      details: { id: task.id },
    });
  }
  const equals = ranked.filter(({ match }) => compareIfFitting(match, best.match) === 0);
  const surest = equals.reduce((first, one) => (expectedOf(one) > expectedOf(first) ? one : first), best);
  const hopeful = isExploring(agency, terms.exploration) ? explorationCandidates(equals, surest) : [];
  const choice = hopeful.reduce(
    (least, one) => (one.outlook.count < least.outlook.count ? one : least),
    hopeful[0] ?? best,
  );
  const isSurest = expectedOf(choice) >= expectedOf(surest) && choice.outlook.count >= surest.outlook.count;
  const exploration = hopeful.length > 1 || !isSurest;
  return { agent: choice.agent, reason: sayWhy(choice, exploration), exploration };
}

/** Agent that could take a task. */
export interface Candidate {
  readonly match: Match;
  readonly agent: Agent;
}

interface RankedAgent extends Candidate {
  readonly outlook: Outlook;
}

/** Agents that could and may take the task, in match order, as shown to a person or model that chooses. */
export function candidatesOf(agency: Agency, task: Task, load: AgentLoad, barred: ReadonlySet<string>): Candidate[] {
  return matchesOf(agency, task, load).flatMap((match) => {
    const agent = barred.has(match.agent_id) ? undefined : agency.agent(match.agent_id);
    return agent ? [{ match, agent }] : [];
  });
}

/** Whether the next assignment without a person explores an agent with few scores. */
export function isExploring(agency: Agency, { every }: ExplorationTerms): boolean {
  return (agency.assignments + 1) % every === 0;
}

/** Candidates whose upper confidence bound reaches the best mean. */
function explorationCandidates(equals: readonly RankedAgent[], surest: RankedAgent): RankedAgent[] {
  return equals.filter((one) => expectedOf(one) + one.outlook.bonus >= expectedOf(surest));
}

/** Expected score, discounted if the work has to wait for the agent. */
function expectedOf({ outlook, match }: RankedAgent): number {
  return outlook.expected - (match.available ? 0 : AGENCY_LIMITS.noRoomDiscount);
}

/** Trust counts only together with a match of skills or words, never alone. */
function compareIfFitting(left: Match, right: Match): number {
  return isFitting(left) || isFitting(right) ? compareFit(left, right) : 0;
}

/** Agents that the rules choose among, best first. */
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
      upperBoundOf(right) - upperBoundOf(left) ||
      knownIn(right) - knownIn(left) ||
      right.together - left.together ||
      compareFit(left.match, right.match) ||
      (load.open.get(left.agent.id) ?? 0) - (load.open.get(right.agent.id) ?? 0) ||
      compareText(left.agent.id, right.agent.id),
  );
}

/** Exploration bonus; 0 for agents that nothing in the task matches. */
function bonusOf({ match, outlook }: RankedAgent): number {
  return isFitting(match) ? outlook.bonus : 0;
}

/** If nothing in the task matches an agent, having any score breaks ties. */
function knownIn({ match, outlook }: RankedAgent): number {
  return isFitting(match) ? 0 : Number(outlook.count > 0);
}

function upperBoundOf(one: RankedAgent): number {
  return expectedOf(one) + bonusOf(one);
}

/** Mean score of the role with this trade-off on tasks that share a tag with this one; -1 if there is none. */
function synergyOf(agency: Agency, view: GraphView, task: Task, agent: Agent, people: ReadonlySet<string>): number {
  const tags = new Set(task.tags);
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
