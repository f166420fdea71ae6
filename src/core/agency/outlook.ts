// How well somebody may be expected to do, and how much better than that they may turn out: the less is known of them, the more.
import { LIMITS } from '#kernel/limits.js';
import type { Agency } from './agency.js';
import type { Agent, Entity, EvaluationRef } from './entities.js';
import { meanOfPrograms, scoresOfPrograms } from './scores.js';

/** How much is tried out when nobody says whom a task is for; the settings of the agency may say otherwise. */
export interface ExplorationTerms {
  /** Every so many assignments go to whom least is known of. */
  readonly every: number;
  /** What a single unknown score is worth: the bonus is this by the square root of how many scores there are, and one. */
  readonly constant: number;
  /** What somebody without any score gets beside. */
  readonly novelty: number;
}

export interface Outlook {
  /** The mean of their scores, where old ones count less, with one more: what their role and trade-off bring by what they did beside others. */
  readonly expected: number;
  /** How many scores they have. */
  readonly count: number;
  readonly bonus: number;
}

/** Expected where nothing at all is known. */
const MIDDLE = 0.5;
/** So many usual scores a role or a trade-off is thought to have beside its own: one lucky score says little. */
const USUAL_SCORES = 2;

/**
 * The outlook of each of these, by id. A score counts half as much with every `LIMITS.outlookHalfLife` newer ones of the same
 * agent, so that it is seen when somebody is not what they were. In what order scores stand in their files makes no difference.
 */
export function outlooksOf(
  agency: Agency,
  agents: readonly Agent[],
  people: ReadonlySet<string>,
  terms: ExplorationTerms,
): ReadonlyMap<string, Outlook> {
  const usual = usualIn(agents.filter(({ id }) => !people.has(id)));
  const brought = new Map<Entity, number>();
  /** How much better than usual a role or a trade-off did, whatever it stood beside. */
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

/** The mean of all their scores. */
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

/** What somebody's scores come to, and for how many recent ones they count. */
function recently({ performance }: Agent): { readonly weight: number; readonly sum: number } {
  let [weight, sum] = [0, 0];
  for (const [age, { score }] of newestFirst(performance.evaluations).entries()) {
    const own = 0.5 ** (age / LIMITS.outlookHalfLife);
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
