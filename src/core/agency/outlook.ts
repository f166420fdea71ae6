// Expected score of agents, with an exploration bonus that shrinks as their scores grow in number.
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Agency } from './agency.js';
import type { Agent, Entity, EvaluationRef } from './entities.js';
import { meanOfPrograms, scoresOfPrograms } from './scores.js';

/** Exploration at automatic assignments; the settings of the agency can change it. */
export interface ExplorationTerms {
  /** Every n-th assignment goes to the agent with fewest scores. */
  readonly every: number;
  /** Exploration constant: the bonus is this divided by the square root of the number of scores plus one. */
  readonly constant: number;
  /** Additional bonus of an agent without any score. */
  readonly novelty: number;
}

export interface Outlook {
  /**
   * Mean of the agent's scores, old ones with less weight, plus one virtual score: the prior from its role and
   * trade-off in other pairs.
   */
  readonly expected: number;
  /** Number of scores. */
  readonly count: number;
  readonly bonus: number;
}

/** Expected score if there are no scores at all. */
const MIDDLE = 0.5;
/** Number of average scores added to those of a role or trade-off, to limit the effect of one lucky score. */
const USUAL_SCORES = 2;

/**
 * Outlooks by agent id. The weight of a score halves with every `TEAM_LIMITS.outlookHalfLife` newer scores of the same
 * agent, so that changes in performance show. Independent of the order of scores in their files.
 */
export function outlooksOf(
  agency: Agency,
  agents: readonly Agent[],
  people: ReadonlySet<string>,
  terms: ExplorationTerms,
): ReadonlyMap<string, Outlook> {
  const usual = usualIn(agents.filter(({ id }) => !people.has(id)));
  const brought = new Map<Entity, number>();
  /** Gain of a role or trade-off over the usual score, in all its pairs. */
  const gainOf = (entity: Entity | undefined): number => {
    if (!entity) return 0;
    const gain = brought.get(entity) ?? gainIn(agency, entity, people, usual);
    brought.set(entity, gain);
    return gain;
  };
  return new Map(
    agents.map((agent) => {
      const { weight, sum } = recently(agent);
      const prior = usual + gainOf(agency.role(agent.role_id)) + gainOf(agency.tradeoff(agent.tradeoff_id));
      const expected = (sum + Math.min(1, Math.max(0, prior))) / (weight + 1);
      const count = agent.performance.task_count;
      const bonus = terms.constant / Math.sqrt(1 + weight) + (count === 0 ? terms.novelty : 0);
      return [agent.id, { expected, count, bonus }];
    }),
  );
}

/** Mean of all scores of these agents. */
function usualIn(agents: readonly Agent[]): number {
  const count = agents.reduce((total, { performance }) => total + performance.task_count, 0);
  const sum = agents.reduce(
    (total, { performance }) => total + (performance.avg_score ?? 0) * performance.task_count,
    0,
  );
  return count === 0 ? MIDDLE : sum / count;
}

function gainIn(agency: Agency, entity: Entity, people: ReadonlySet<string>, usual: number): number {
  const { length } = scoresOfPrograms(agency, entity, people);
  const mean = meanOfPrograms(agency, entity, people) ?? usual;
  return ((mean - usual) * length) / (length + USUAL_SCORES);
}

/** Weighted sum of an agent's scores, and the sum of the weights. */
function recently({ performance }: Agent): { readonly weight: number; readonly sum: number } {
  let [weight, sum] = [0, 0];
  for (const [age, { score }] of newestFirst(performance.evaluations).entries()) {
    const own = 0.5 ** (age / TEAM_LIMITS.outlookHalfLife);
    weight += own;
    sum += own * score;
  }
  return { weight, sum };
}

function newestFirst(evaluations: readonly EvaluationRef[]): readonly EvaluationRef[] {
  return [...evaluations].reverse().sort((left, right) => {
    if (left.timestamp === right.timestamp) return left.score - right.score;
    return left.timestamp < right.timestamp ? 1 : -1;
  });
}
