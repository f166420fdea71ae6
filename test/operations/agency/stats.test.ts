import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { agentCreate } from '#operations/agency/entities.js';
import { evaluationRecord, evaluationShow } from '#operations/agency/evaluations.js';
import { agencyInit } from '#operations/agency/init.js';
import { agencyStats } from '#operations/agency/stats.js';
import { verifies } from '../../verifies.js';
import { bare, stage } from './place.js';

verifies(
  ['stats.boards', 'stats.synergy'],
  'scores say where they come from on every record; of older records their evaluations say it',
  async () => {
    const { call, put, store, folder } = await stage();
    await call(agencyInit);
    const agent = await call(agentCreate, { name: 'Rusty', role: 'Programmer', tradeoff: 'Careful' });
    await put('a', { status: 'done', agent: agent.id, tags: ['parser'], skills: ['rust'], model: 'haiku' });
    await put('b', { status: 'open', skills: ['cobol'] });
    await call(evaluationRecord, { id: 'a', score: 0.6, source: 'ci:unit', evaluation_id: 'one' });
    await call(evaluationRecord, { id: 'a', score: 1, source: 'llm', evaluation_id: 'two' });
    const both = { mean: 0.8, count: 2, llm: 1, outside: 0.6, flip: null, trend: 'improving' };
    const check = async () => {
      const stats = await call(agencyStats, { by_model: true });
      expect(stats.roles[0]).toMatchObject({ name: 'Programmer', ...both });
      expect(stats.tradeoffs[0]).toMatchObject({ name: 'Careful', ...both });
      expect(stats.agents).toMatchObject([{ name: 'Rusty', ...both }]);
      expect(stats.synergy).toMatchObject([
        { role_name: 'Programmer', tradeoff_name: 'Careful', synergy: 'high', ...both },
      ]);
      expect(stats.tags).toMatchObject([{ name: 'parser', ...both }]);
      expect(stats.models).toMatchObject([{ name: 'haiku', ...both }]);
    };
    await check();
    const file = path.join(folder, `agency/agents/${agent.id}.yaml`);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('"source":"ci:unit"');
    const [role] = (await call(agencyStats)).roles;
    for (const one of [file, path.join(folder, `agency/roles/${role?.id}.yaml`)])
      writeFileSync(one, readFileSync(one, 'utf8').replaceAll(/,"source":"[^"]*"/g, ''));
    await check();
    const stats = await call(agencyStats);
    expect(stats).not.toHaveProperty('models');
    expect(stats.skill_gaps).toEqual([{ skill: 'cobol', tasks: 1 }]);
    expect(stats.lineage.map(({ name }) => name)).toContain('Programmer');
    // The roles of the agency itself do no work.
    expect(stats.unexplored_total).toBe(4 * 4);
    const proposed = new Set(stats.unexplored.map(({ role_name }) => role_name));
    expect(['Assigner', 'Evaluator', 'Evolver'].filter((name) => proposed.has(name))).toEqual([]);
    await store.close();
  },
);

test('a score that is credited to no one is counted where nobody has any', async () => {
  const { call, put, store } = await stage();
  await call(agencyInit);
  const agent = await call(agentCreate, { name: 'Rusty', role: 'Programmer', tradeoff: 'Careful' });
  await put('nobodys', { status: 'done' });
  await put('rustys', { status: 'done', agent: agent.id });
  expect((await call(agencyStats)).only_uncredited).toBe(0);
  await call(evaluationRecord, { id: 'nobodys', score: 0.6 });
  expect((await call(agencyStats)).only_uncredited).toBe(1);
  expect(await call(evaluationShow, { task: 'rustys' })).toMatchObject({ total: 0, kept: 1 });
  await call(evaluationRecord, { id: 'rustys', score: 0.6 });
  expect((await call(agencyStats)).only_uncredited).toBe(0);
  await store.close();
});

verifies('agency.optional', 'without a graph there is nothing to say of tasks, and all else is said', async () => {
  const { context } = bare();
  await agencyInit.run(context, {});
  const stats = await agencyStats.run(context, {});
  expect(stats).toMatchObject({ tags: [], skill_gaps: [], unexplored_total: 16 });
});
