import * as z from 'zod/mini';
import type { Agency } from '#core/agency/agency.js';
import { type Agent, type Entity, KINDS, type Role } from '#core/agency/entities.js';
import { AGENT } from '#core/graph/assignee.js';
import type { Task } from '#core/graph/task.js';
import { isTask, isTerminal } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { compareText } from '#kernel/order.js';
import { wordStem, wordsOf } from '#kernel/words.js';
import { TRUST_LEVELS } from './entities.js';
import { workers } from './pairing.js';

/** Degree to which an agent covers the needs of a task. */
export const matchShape = z.object({
  agent_id: z.string(),
  agent_name: z.string(),
  score: z.number(),
  matched_skills: z.readonly(z.array(z.string())),
  missing_skills: z.readonly(z.array(z.string())),
  /** Words of the task's title and tags that name a capability, the role or a skill of the role. */
  matched_words: z.readonly(z.array(z.string())),
  trust_level: z.enum(TRUST_LEVELS),
  /** Whether the agent has room for another task. */
  available: z.boolean(),
});
export type Match = z.infer<typeof matchShape>;

/** Numbers of running and open tasks, by agent id. */
export interface AgentLoad {
  readonly running: ReadonlyMap<string, number>;
  readonly open: ReadonlyMap<string, number>;
}

/** Counts the tasks of all agents in one pass over the graph. */
export function loadOf(view: GraphView): AgentLoad {
  const running = new Map<string, number>();
  const open = new Map<string, number>();
  for (const node of view.nodes()) {
    const agent = isTask(node) ? AGENT.of(node) : undefined;
    if (agent === undefined) continue;
    const status = view.task(node.id)?.status;
    const counts = status === 'in-progress' ? running : status === 'open' ? open : undefined;
    counts?.set(agent, (counts.get(agent) ?? 0) + 1);
  }
  return { running, open };
}

export function capacityOf(agent: Pick<Agent, 'capacity'>): number {
  return agent.capacity ?? 1;
}

export type Wanted = Pick<Task, 'skills' | 'title' | 'tags'>;

/**
 * Agents that may take a task, best first: by skills among the capabilities, then words of title and tags, then trust,
 * room, mean score, id. For a task that needs skills, agents with none of them are left out.
 */
export function matchesOf(agency: Agency, task: Wanted, load: AgentLoad): Match[] {
  const skills = task.skills ?? [];
  const words = subjectOf(task);
  const candidates = workers(agency).map((agent) => ({ agent, match: matchOf(agency, agent, skills, words, load) }));
  return candidates
    .filter(({ match }) => skills.length === 0 || match.matched_skills.length > 0)
    .sort(
      (left, right) =>
        compareFit(left.match, right.match) ||
        Number(right.match.available) - Number(left.match.available) ||
        averageOf(right.agent) - averageOf(left.agent) ||
        compareText(left.agent.id, right.agent.id),
    )
    .map(({ match }) => match);
}

/** Agents that would fit the task, but which a person has yet to accept, themselves or their parts. */
export function waitingMatches(agency: Agency, task: Wanted, load: AgentLoad): Match[] {
  const waiting = KINDS.flatMap((kind) => agency.waiting(kind));
  if (waiting.length === 0) return [];
  const accepted = agency.with(waiting.map(({ held: _held, pending: _pending, ...entity }) => entity as Entity));
  const known = new Set(agency.working().map(({ id }) => id));
  return matchesOf(accepted, task, load).filter((match) => !known.has(match.agent_id) && isFitting(match));
}

/** Whether a skill or word of the task matches the agent. */
export function isFitting({ matched_skills, matched_words }: Match): boolean {
  return matched_skills.length > 0 || matched_words.length > 0;
}

/** Comparator; negative if the left match fits better. */
export function compareFit(left: Match, right: Match): number {
  return (
    right.matched_skills.length - left.matched_skills.length ||
    right.matched_words.length - left.matched_words.length ||
    trustIn(right) - trustIn(left)
  );
}

/**
 * Matches that rules choose among: the fitting ones; if none fits, agents without capabilities, that is, without a
 * speciality.
 */
export function eligible(agency: Agency, matches: readonly Match[]): readonly Match[] {
  const fitting = matches.filter(isFitting);
  if (fitting.length > 0) return fitting;
  return matches.filter(({ agent_id }) => agency.agent(agent_id)?.capabilities.length === 0);
}

/** Mean score; -1 without any score, which sorts last. */
export function averageOf({ performance }: Agent): number {
  return performance.avg_score ?? -1;
}

function matchOf(
  agency: Agency,
  agent: Agent,
  required: readonly string[],
  words: ReadonlyMap<string, string>,
  load: AgentLoad,
): Match {
  const can = new Set(agent.capabilities.map(fold));
  const matched = required.filter((skill) => can.has(fold(skill)));
  const known = vocabularyOf([...agent.capabilities, ...roleNames(agency.role(agent.role_id))]);
  return {
    agent_id: agent.id,
    agent_name: agent.name,
    score: matched.length + trustIn(agent),
    matched_skills: matched,
    missing_skills: required.filter((skill) => !matched.includes(skill)),
    matched_words: [...words].flatMap(([stem, word]) => (known.has(stem) ? [word] : [])),
    trust_level: agent.trust_level,
    available: (load.running.get(agent.id) ?? 0) < capacityOf(agent),
  };
}

function trustIn({ trust_level }: Pick<Agent, 'trust_level'>): number {
  return trust_level === 'verified' ? 1 : 0;
}

/** Texts that describe a role: its name and its named skills. */
export function roleNames(role: Role | undefined): string[] {
  return role ? [role.name, ...role.skills.flatMap((skill) => ('name' in skill ? [skill.name] : []))] : [];
}

/** Stems of the words of these texts, and of their verbs: "implementation" also matches "implement". */
export function vocabularyOf(texts: readonly string[]): ReadonlySet<string> {
  const stems = texts.flatMap(wordsOf).map(wordStem);
  return new Set([...stems, ...stems.map((stem) => stem.replace(/(?<=.{4})ation$/, ''))]);
}

/** Stop words. */
const JOINING = new Set(wordsOf('a an and as at by for from in into is it its of on or that the this to with'));

/** Words of the title and tags of a task, by stem. */
export function subjectOf({ title = '', tags = [] }: Wanted): ReadonlyMap<string, string> {
  const words = [title, ...tags].flatMap(wordsOf).filter((word) => !JOINING.has(word));
  return new Map(words.map((word) => [wordStem(word), word]));
}

function fold(word: string): string {
  return word.normalize('NFC').toLowerCase();
}

/** A skill that no agent has, and the number of unfinished tasks that need it. */
export interface SkillGap {
  readonly skill: string;
  readonly tasks: number;
}

/** Skills needed by tasks that no agent in use has, most needed first. One pass over the graph. */
export function skillGaps(agency: Agency, view: GraphView): SkillGap[] {
  const present = new Set(workers(agency).flatMap(({ capabilities }) => capabilities.map(fold)));
  const gaps = new Map<string, SkillGap>();
  for (const node of view.nodes()) {
    if (!isTask(node) || isTerminal(node.status)) continue;
    for (const skill of new Set(node.skills)) {
      if (present.has(fold(skill))) continue;
      gaps.set(fold(skill), { skill, tasks: (gaps.get(fold(skill))?.tasks ?? 0) + 1 });
    }
  }
  return [...gaps.values()].sort((left, right) => right.tasks - left.tasks || compareText(left.skill, right.skill));
}
