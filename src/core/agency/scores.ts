import type { Agency } from './agency.js';
import type { Entity, EvaluationRef } from './entities.js';

/** Scores are summed as integers of nine decimal places: unlike floats, they add up to the same in any order. */
const WHOLE = 1e9;

/**
 * Mean of scores, independent of their order, because it is recomputed from files merged from several sources. Null if
 * there are none.
 */
export function meanOf(scores: readonly number[]): number | null {
  let sum = 0;
  for (const score of scores) sum += Math.round(score * WHOLE);
  return scores.length === 0 ? null : sum / scores.length / WHOLE;
}

/** Prefix sums of ordered scores: the mean of any range takes one division. */
export class ScoreSums {
  readonly count: number;
  /** Sum of the scores before each index, in units of 1 / `WHOLE`. */
  private readonly before: Float64Array;

  constructor(scored: readonly { readonly score: number }[]) {
    this.count = scored.length;
    this.before = new Float64Array(scored.length + 1);
    let [at, sum] = [0, 0];
    for (const { score } of scored) {
      sum += Math.round(score * WHOLE);
      this.before[++at] = sum;
    }
  }

  /** Mean of the range from `from` to before `to`; null if it is empty. */
  mean(from = 0, to = this.count): number | null {
    const sum = (this.before[to] ?? 0) - (this.before[from] ?? 0);
    return to > from ? sum / (to - from) / WHOLE : null;
  }
}

/**
 * Scores of programs in a record. Scores of people are stored and shown, but never used to create or pair roles and
 * trade-offs. `people`: ids of their agents. A reference in a role's record names the trade-off it was paired with, and
 * vice versa; the two identify one agent.
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

/** Mean of the scores of programs; null if there are none. */
export function meanOfPrograms(agency: Agency, entity: Entity, people: ReadonlySet<string>): number | null {
  const scores = scoresOfPrograms(agency, entity, people);
  const { evaluations, avg_score } = entity.performance;
  return scores === evaluations ? avg_score : meanOf(scores.map(({ score }) => score));
}
