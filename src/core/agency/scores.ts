import type { Agency } from './agency.js';
import type { Entity, EvaluationRef } from './entities.js';

/** Scores count to nine places: whole numbers add up to the same in any order, as fractions do not. */
const WHOLE = 1e9;

/**
 * The mean of some scores, the same in whatever order they came: it is worked out again from files that more than one hand put
 * together. Null where there is none.
 */
export function meanOf(scores: readonly number[]): number | null {
  let sum = 0;
  for (const score of scores) sum += Math.round(score * WHOLE);
  return scores.length === 0 ? null : sum / scores.length / WHOLE;
}

/** Some scores in order, summed up to each place: the mean of any stretch of them is one division. */
export class ScoreSums {
  readonly count: number;
  /** In `WHOLE`, of the scores before each place. */
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

  /** Of those from one place until before another; null where there is none. */
  mean(from = 0, to = this.count): number | null {
    const sum = (this.before[to] ?? 0) - (this.before[from] ?? 0);
    return to > from ? sum / (to - from) / WHOLE : null;
  }
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

/** The mean of those; null where there is none. */
export function meanOfPrograms(agency: Agency, entity: Entity, people: ReadonlySet<string>): number | null {
  const scores = scoresOfPrograms(agency, entity, people);
  const { evaluations, avg_score } = entity.performance;
  return scores === evaluations ? avg_score : meanOf(scores.map(({ score }) => score));
}
