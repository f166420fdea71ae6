import { expect } from 'vitest';
import { Agency } from '#core/agency/agency.js';
import { KINDS } from '#core/agency/entities.js';
import { planPull } from '#core/agency/pull.js';
import type { JsonObject } from '#kernel/json.js';
import { verifies } from '../../verifies.js';
import { agent, role, tradeoff } from './people.js';

const [reviewer, careful, vera] = [
  role('Reviewer'),
  tradeoff('Careful'),
  agent('Vera', { role_id: role('Reviewer').id }),
];
const agency = new Agency([reviewer, careful, vera]);

const evaluation = (id: string, more: JsonObject = {}): JsonObject => ({
  ...{ id, task_id: 'fix', agent_id: vera.id, role_id: vera.role_id, tradeoff_id: vera.tradeoff_id },
  ...{ score: 0.8, dimensions: { correctness: 0.8 }, notes: 'sound', evaluator: 'ann', source: 'human' },
  ...{ timestamp: '2026-03-01T10:00:00.000Z' },
  ...more,
});

verifies('test.bites', 'an evaluation is taken under its own id, as it is, and never in the place of ours', () => {
  const pull = (theirs: Record<string, JsonObject>, ours: Record<string, JsonObject> = {}) =>
    planPull(
      agency,
      new Map(Object.entries(ours)),
      { agency, evaluations: new Map(Object.entries(theirs)) },
      {
        ...{ ids: [], kinds: KINDS, force: false },
      },
    );
  expect(pull({ e1: evaluation('e1') }).evaluations).toMatchObject([{ id: 'e1', foreign: true }]);
  expect(pull({ e1: evaluation('e2') })).toMatchObject({
    evaluations: [],
    warnings: ['The evaluation e1 is not valid: it was left out.'],
  });
  const long = 'x'.repeat(90);
  expect(pull({ [long]: evaluation('e1') }).warnings).toEqual([
    `The evaluation ${'x'.repeat(80)} is not valid: it was left out.`,
  ]);
  for (const wrong of [{ notes: 7 }, { dimensions: 7 }, { dimensions: { correctness: '1' } }])
    expect(pull({ e1: evaluation('e1', wrong as JsonObject) }).evaluations, JSON.stringify(wrong)).toEqual([]);
  expect(pull({ e1: evaluation('e1', { score: 1 }) }, { e1: evaluation('e1') })).toMatchObject({
    evaluations: [],
    warnings: ['The evaluation e1 differs here: ours was kept.'],
  });
  expect(pull({ e1: evaluation('e1') }, { e1: evaluation('e1') })).toMatchObject({ evaluations: [], warnings: [] });
});

verifies('test.bites', 'only evaluations of what is pulled are taken, unless all of it is', () => {
  const evaluations = new Map([['e1', evaluation('e1')]]);
  const taken = (more: Partial<Parameters<typeof planPull>[3]>) =>
    planPull(agency, new Map(), { agency, evaluations }, { ids: [], kinds: KINDS, force: false, ...more }).evaluations;
  expect(taken({})).toHaveLength(1);
  expect(taken({ kinds: ['agent'] })).toHaveLength(1);
  const others = new Agency([role('Other')]);
  const ofOthers = (more: Partial<Parameters<typeof planPull>[3]>) =>
    planPull(agency, new Map(), { agency: others, evaluations }, { ids: [], kinds: KINDS, force: false, ...more });
  expect(ofOthers({}).evaluations, 'all').toHaveLength(1);
  expect(ofOthers({ kinds: ['role'] }).evaluations, 'roles').toEqual([]);
  expect(ofOthers({ ids: [role('Other').id] }).evaluations, 'one').toEqual([]);
});
