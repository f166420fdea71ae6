import type { Agency } from '#core/agency/agency.js';
import type { Agent } from '#core/agency/entities.js';
import { AGENT } from '#core/graph/assignee.js';
import type { Task } from '#core/graph/task.js';
import { isTask, isTerminal } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';

/** How much of what a task needs somebody brings. */
export interface Match {
  readonly agent_id: string;
  readonly agent_name: string;
  readonly score: number;
  readonly matched_skills: readonly string[];
  readonly missing_skills: readonly string[];
  readonly trust_level: Agent['trust_level'];
  /** Another task fits in. */
  readonly available: boolean;
}

/** What agents have to do, by id. */
export interface Load {
  readonly running: ReadonlyMap<string, number>;
  readonly open: ReadonlyMap<string, number>;
}

/** One walk over the graph. */
export function loadOf(view: GraphView): Load {
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

/**
 * Who could take a task, best first: skills among the capabilities, one more for whom somebody vouches; then who has room,
 * then the mean score, then the id. Of a task that needs skills, whoever scores nothing is left out.
 */
export function matchesOf(agency: Agency, task: Pick<Task, 'skills'>, load: Load): Match[] {
  const skills = task.skills ?? [];
  const candidates = agency.working().map((agent) => ({ agent, match: matchOf(agent, skills, load) }));
  return candidates
    .filter(({ match }) => skills.length === 0 || match.score > 0)
    .sort(
      (left, right) =>
        right.match.score - left.match.score ||
        Number(right.match.available) - Number(left.match.available) ||
        averageOf(right.agent) - averageOf(left.agent) ||
        (left.agent.id < right.agent.id ? -1 : 1),
    )
    .map(({ match }) => match);
}

/** Without any score somebody stands behind all who have one. */
export function averageOf({ performance }: Agent): number {
  return performance.avg_score ?? -1;
}

function matchOf(agent: Agent, required: readonly string[], load: Load): Match {
  const can = new Set(agent.capabilities.map(fold));
  const matched = required.filter((skill) => can.has(fold(skill)));
  return {
    agent_id: agent.id,
    agent_name: agent.name,
    score: matched.length + (agent.trust_level === 'verified' ? 1 : 0),
    matched_skills: matched,
    missing_skills: required.filter((skill) => !matched.includes(skill)),
    trust_level: agent.trust_level,
    available: (load.running.get(agent.id) ?? 0) < capacityOf(agent),
  };
}

function fold(word: string): string {
  return word.normalize('NFC').toLowerCase();
}

/** A skill that nobody has, and how many unfinished tasks need it. */
export interface SkillGap {
  readonly skill: string;
  readonly tasks: number;
}

/** What is needed and nobody in use brings, the most needed first. One walk over the graph. */
export function skillGaps(agency: Agency, view: GraphView): SkillGap[] {
  const present = new Set(agency.working().flatMap(({ capabilities }) => capabilities.map(fold)));
  const gaps = new Map<string, SkillGap>();
  for (const node of view.nodes()) {
    if (!isTask(node) || isTerminal(node.status)) continue;
    for (const skill of new Set(node.skills ?? [])) {
      if (present.has(fold(skill))) continue;
      gaps.set(fold(skill), { skill, tasks: (gaps.get(fold(skill))?.tasks ?? 0) + 1 });
    }
  }
  return [...gaps.values()].sort((left, right) => right.tasks - left.tasks || (left.skill < right.skill ? -1 : 1));
}
