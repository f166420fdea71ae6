import fc from 'fast-check';
import { expect } from 'vitest';
import type { Agency } from '#core/agency/agency.js';
import type { EvaluationRef } from '#core/agency/entities.js';
import { performanceFrom } from '#core/agency/read.js';
import type { EvolutionReport } from '#core/agency/report.js';
import { rollback } from '#core/agency/rollback.js';
import type { Json } from '#kernel/json.js';
import { agent } from '../core/agency/people.js';
import { AGENCY, BOLD, BUILDER, CAREFUL, propose, statuses, TESTER } from '../core/agency/stage.js';
import { verifies } from '../verifies.js';

const ids = [BUILDER, TESTER, CAREFUL, BOLD].map(({ id }) => id);
const target = fc.oneof(fc.constantFrom(...ids, 'Twin', 'Builder', 'nobody'), fc.subarray(ids, { minLength: 1 }));
const words = fc.constantFrom('', 'One.', 'Two.', '\u0000x', 'x'.repeat(20_000));
const operation: fc.Arbitrary<Json> = fc
  .record(
    {
      op: fc.constantFrom(
        ...['create_role', 'modify_role', 'retire_role', 'create_tradeoff', 'modify_tradeoff', 'retire_tradeoff', 'x'],
      ),
      target_id: target,
      name: fc.constantFrom('Twin', 'Other', ''),
      description: words,
      desired_outcome: words,
      skills: fc.array(fc.constantFrom('a', 'b')),
      acceptable_tradeoffs: fc.array(words, { maxLength: 2 }),
      rationale: fc.constantFrom('why'),
    },
    { requiredKeys: ['op', 'rationale'] },
  )
  .map((one) => one as Json);
const operations = fc.array(operation, { maxLength: 12 });

const isWhole = (agency: Agency) => agency.all('role').length > 0 && agency.all('tradeoff').length > 0;

verifies(
  'evolve.retire',
  'no evolution, and no taking back of one, leaves fewer than one role and one trade-off',
  () => {
    fc.assert(
      fc.property(operations, fc.nat(12), fc.subarray(ids), fc.boolean(), (proposed, budget, own, doubt) => {
        const doubted = () => (doubt ? 'in doubt' : '');
        const evolution = propose(proposed, { budget, own: new Set(own), doubt: doubted });
        expect(isWhole(evolution.agency)).toBe(true);
        const applied = statuses(evolution).filter((status) => status === 'applied' || status === 'held');
        expect(applied.length).toBeLessThanOrEqual(budget);
        for (const id of own) for (const entity of evolution.entities) expect(entity.id).not.toBe(id);
        for (const { lineage } of evolution.entities)
          for (const id of own) expect(lineage.parent_ids).not.toContain(id);
        const report = { operations: evolution.outcomes } as unknown as EvolutionReport;
        const { entities } = rollback(evolution.agency, report);
        const before = AGENCY;
        const after = evolution.agency.with(entities);
        expect(isWhole(after)).toBe(true);
        for (const kind of ['role', 'tradeoff'] as const) expect(after.all(kind)).toEqual(before.all(kind));
      }),
      { numRuns: 300 },
    );
  },
);

const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });

verifies(
  'agency.human-evals',
  'no score of a person moves an identity: what evolves is the same whatever people did',
  () => {
    const person = agent('Ann', { role_id: BUILDER.id, tradeoff_id: CAREFUL.id, executor: 'email' });
    const references = (context_id: string, list: readonly number[]): EvaluationRef[] =>
      list.map((score, index) => ({ score, task_id: `p${index}`, timestamp: '', context_id }));
    const withPerson = (list: readonly number[]) =>
      AGENCY.with([
        { ...person, performance: performanceFrom(references(BUILDER.id, list)) },
        { ...BUILDER, performance: performanceFrom(references(CAREFUL.id, list)) },
        {
          ...CAREFUL,
          performance: performanceFrom([...CAREFUL.performance.evaluations, ...references(BUILDER.id, list)]),
        },
      ]);
    fc.assert(
      fc.property(operations, scores, scores, (proposed, some, others) => {
        const people = new Set([person.id]);
        const [one, other] = [some, others].map((list) => propose(proposed, { people }, withPerson(list)).outcomes);
        expect(one).toEqual(other);
      }),
      { numRuns: 150 },
    );
  },
);
