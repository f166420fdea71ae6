import path from 'node:path';
import { expect, test } from 'vitest';
import { chosenModel } from '#adapters/models/chosen-model.js';
import { assign } from '#operations/agency/assign.js';
import { agencyRemove, agentCreate, roleAdd, tradeoffAdd } from '#operations/agency/entities.js';
import { evaluationRecord, evaluationShow } from '#operations/agency/evaluations.js';
import { agencyInit } from '#operations/agency/init.js';
import { agencyLineage, agencyList, agencyShow, agentPerformance, match } from '#operations/agency/look.js';
import { evaluationRun, evaluationVerify } from '#operations/agency/model-evaluations.js';
import { askPlace } from '#operations/coordinator/placing.js';
import { room } from '../../room.js';
import { stage } from './place.js';

const coded = (code: string) => expect.objectContaining({ code });

test('without a model the agency works but for what judges, which says so and changes nothing', async () => {
  // What the program itself has where there are no keys and nobody says anything.
  const parts = { programs: undefined as never, shared: {}, ours: {}, clock: { now: () => 0 } };
  const model = await chosenModel(
    { orClient: false },
    { ...parts, folder: path.join(room(), 'workgraph/service/model-runs') },
  );
  const { call, put, store, configure, context } = await stage({
    model: async () => model,
    runs: async () => ({ identity: async () => undefined }) as never,
  });
  await call(agencyInit);
  const role = await call(roleAdd, { name: 'Tester', description: 'Finds what breaks.', outcome: 'Faults are seen.' });
  await call(tradeoffAdd, { name: 'Frugal', description: 'Prefers little.' });
  await call(agentCreate, { name: 'One', role: 'Tester', tradeoff: 'Frugal', capabilities: ['testing'] });
  await call(agentCreate, { name: 'Two', role: 'Programmer', tradeoff: 'Fast', capabilities: ['testing'] });
  expect((await call(agencyList, { kind: 'agent' })).entities).toHaveLength(2);
  expect((await call(agencyShow, { kind: 'agent', id: 'One' })).entity).toMatchObject({ name: 'One' });
  expect((await call(agencyLineage, { kind: 'role', id: 'Tester' })).id).toBe(role.id);
  await put('t', { skills: ['testing'] });
  expect((await call(match, { id: 't' })).matches).toHaveLength(2);
  expect(await call(assign, { id: 't', auto: true })).toMatchObject({ chosen_by: 'rules' });
  await put('new', { unplaced: true });
  expect(await askPlace(context(), 'new', new AbortController().signal)).toMatchObject({ byRules: expect.any(String) });
  await put('over', { status: 'done', agent: (await call(agencyShow, { kind: 'agent', id: 'One' })).entity.id });
  configure({ agency: { flip_verification_threshold: 0.5 } });
  await call(evaluationRecord, { id: 'over', score: 0.4, source: 'flip' });
  expect((await call(evaluationShow, {})).total).toBe(1);
  expect(await call(agentPerformance, { id: 'One' })).toMatchObject({ task_count: 1, avg_score: 0.4 });
  await call(agencyRemove, { kind: 'agent', id: 'Two' });
  expect((await call(agencyList, { kind: 'agent' })).entities).toHaveLength(1);
  const { seq } = await store.view();
  for (const input of [{ id: 'over' }, { id: 'over', flip: true }])
    await expect(call(evaluationRun, input)).rejects.toThrow(coded('model_required'));
  await expect(call(evaluationVerify, { id: 'over' })).rejects.toThrow(coded('model_required'));
  expect((await store.view()).seq).toBe(seq);
  expect((await call(evaluationShow, {})).total, 'no score is made up').toBe(1);
  await store.close();
});
