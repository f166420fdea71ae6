import { Agency } from '#core/agency/agency.js';
import type { Entity, EvaluationRef } from '#core/agency/entities.js';
import { type EvolutionTerms, evolve } from '#core/agency/evolve.js';
import { itemOf } from '#core/agency/proposal.js';
import { performanceFrom } from '#core/agency/read.js';
import type { Json } from '#kernel/json.js';
import { MAKER, role, tradeoff } from '../agency/people.js';

/** An entity with these scores, each with another partner. */
export function scored<One extends Entity>(entity: One, scores: readonly number[], context_id = ''): One {
  const references: EvaluationRef[] = scores.map((score, index) => ({
    ...{ score, task_id: `t${index}`, timestamp: `2026-01-0${index + 1}T00:00:00.000Z`, context_id },
  }));
  return { ...entity, performance: performanceFrom(references) };
}

export const BUILDER = role('Builder', { skills: [{ name: 'building' }, { file: 'docs/style.md' }] });
export const TESTER = role('Tester');
export const CAREFUL = tradeoff('Careful', { acceptable_tradeoffs: ['Slow'], unacceptable_tradeoffs: ['Untested'] });
export const BOLD = tradeoff('Bold');

export const AGENCY = new Agency([BUILDER, TESTER, scored(CAREFUL, [0.4]), scored(BOLD, [0.9, 0.7])]);

export function terms(more: Partial<EvolutionTerms> = {}): EvolutionTerms {
  return {
    ...{ run: 'run-20260301-100000', strategy: 'all', budget: Number.POSITIVE_INFINITY, maker: { now: MAKER.now } },
    ...{ own: new Set<string>(), people: new Set<string>(), doubt: () => '' },
    ...more,
  };
}

/** Evaluates operations given as a model would write them. */
export function propose(operations: readonly Json[], more: Partial<EvolutionTerms> = {}, agency = AGENCY) {
  return evolve(agency, operations.map(itemOf), terms(more));
}

export const statuses = ({ outcomes }: ReturnType<typeof propose>) => outcomes.map(({ status }) => status);
