import path from 'node:path';
import { expect } from 'vitest';
import { LocalSkills } from '#adapters/catalog/local-skills.js';
import { WordingFolder } from '#adapters/catalog/wording-folder.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { seatTags } from '#core/playbooks/formation.js';
import { type FormationRecord, recordEvent } from '#core/playbooks/record.js';
import { assign } from '#operations/agency/assign.js';
import { agentCreate, roleAdd } from '#operations/agency/entities.js';
import { agencyInit } from '#operations/agency/init.js';
import { match } from '#operations/agency/look.js';
import { add, edit } from '#operations/graph/tasks.js';
import { prompt } from '#operations/runs/show-prompt.js';
import { verifies } from '../../verifies.js';
import { stage } from './place.js';

const coded = (code: string) => expect.objectContaining({ code });

verifies('assign.manual', 'a task is given to somebody by name, by match, and to nobody again', async () => {
  const { call, put, store } = await stage();
  await call(agencyInit);
  const rust = await call(agentCreate, {
    name: 'Rusty',
    role: 'Programmer',
    tradeoff: 'Fast',
    capabilities: ['rust'],
  });
  const docs = await call(agentCreate, {
    name: 'Docs',
    role: 'Documenter',
    tradeoff: 'Fast',
    capabilities: ['docs'],
  });
  await put('t', { skills: ['docs'] });
  await put('d', { status: 'done' });
  expect((await call(match, { id: 't' })).matches).toMatchObject([{ agent_id: docs.id, score: 1, available: true }]);
  expect(await call(assign, { id: 't', agent: 'Rusty' })).toMatchObject({ agent_id: rust.id, changed: true });
  expect((await store.view()).task('t')).toMatchObject({ agent: rust.id, status: 'open' });
  expect(await call(assign, { id: 't', auto: true })).toMatchObject({
    agent_id: docs.id,
    reason: 'has docs; has room; 0.50 expected after 0 scores, plus 0.25 for uncertainty',
  });
  expect((await store.view()).task('t')?.log?.at(-1)?.message).toContain('has docs; has room');
  expect(await call(assign, { id: 't', clear: true })).toMatchObject({ agent_id: null });
  expect(fieldsOf((await store.view()).task('t'))['agent']).toBeUndefined();
  await expect(call(assign, { id: 'd', auto: true })).rejects.toThrow(coded('terminal_task'));
  await expect(call(assign, { id: 't', agent: 'Dogs' })).rejects.toThrow(coded('not_found'));
  await expect(call(assign, { id: 't' })).rejects.toThrow(coded('usage'));
  await store.close();
});

verifies('assign.explore', 'assignments are counted from one command to the next', async () => {
  const { call, put, store } = await stage();
  await call(agencyInit);
  await call(agentCreate, { name: 'One', role: 'Programmer', tradeoff: 'Fast' });
  await call(agentCreate, { name: 'Two', role: 'Programmer', tradeoff: 'Careful' });
  const explored: number[] = [];
  for (let number = 1; number <= 21; number++) {
    await put(`t${number}`);
    if ((await call(assign, { id: `t${number}`, auto: true })).exploration) explored.push(number);
  }
  expect(explored).toEqual([20]);
  await store.close();
});

verifies('prompt.identity', 'who a task is for stands in what its attempt is told', async () => {
  const wording = new WordingFolder(path.resolve('data/prompts'));
  const { call, put, store, project } = await stage({ wording: async () => wording, freshId: () => 'abcdefghijkl' });
  const skills = new LocalSkills({
    projectFolder: project,
    home: project,
    web: {} as never,
    readText: async () => undefined as never,
  });
  await call(agencyInit);
  await call(roleAdd, {
    name: 'Scribe',
    description: 'Writes it down.',
    outcome: 'It is read.',
    skills: ['inline:Use short words.'],
    scope: 'clean',
    exec_mode: 'light',
  });
  await call(agentCreate, { name: 'S', role: 'Scribe', tradeoff: 'Careful', executor: 'codex', model: 'm1' });
  await put('t');
  await call(assign, { id: 't', agent: 'S' });
  const told = await call(
    { ...prompt, run: (context, input) => prompt.run({ ...context, skills: async () => skills }, input) },
    { id: 't' },
  );
  expect(told).toMatchObject({ executor: 'codex', mode: 'light', model: 'm1', scope: 'clean' });
  for (const words of [
    'role: Scribe',
    'what it does: Writes it down.',
    'what it aims for: It is read.',
    'Use short words.',
    '- Takes longer than planned',
    '- States something that was not checked',
  ]) {
    expect(told.text).toContain(words);
  }
  await store.close();
});

verifies(
  'hold.assign',
  '--assign on add and edit takes a name, an id or a prefix, and refuses the unknown',
  async () => {
    const { call, store } = await stage();
    await call(agencyInit);
    const { id } = await call(agentCreate, { name: 'Rusty', role: 'Programmer', tradeoff: 'Fast' });
    for (const [task, agent] of Object.entries({ named: 'Rusty', whole: id, prefix: id.slice(0, 10) })) {
      await call(add, { title: task, agent });
      expect(fieldsOf((await store.view()).task(task))['agent']).toBe(id);
    }
    await call(add, { title: 'later' });
    await call(edit, { id: 'later', agent: 'Rusty' });
    expect(fieldsOf((await store.view()).task('later'))['agent']).toBe(id);
    const refused = expect.objectContaining({ code: 'not_found', hint: 'Did you mean Rusty?' });
    await expect(call(add, { title: 'stray', agent: 'Rust' })).rejects.toThrow(refused);
    await expect(call(edit, { id: 'later', agent: 'Rustly' })).rejects.toThrow(refused);
    expect((await store.view()).task('stray')).toBeUndefined();
    await store.close();
  },
);

verifies(
  'sweep.verify',
  'nobody who scouted for a sweep is chosen or named to check it, nor the other way round',
  async () => {
    const { call, put, store } = await stage();
    await call(agencyInit);
    const make = (name: string, tradeoff: string) => call(agentCreate, { name, role: 'Reviewer', tradeoff });
    const [one, two] = [await make('One', 'Fast'), await make('Two', 'Careful')];
    const run = '20261123-a-cache-00ff';
    const [scout, check] = [`${run}-web`, `${run}-verify`];
    await put(scout, { tags: seatTags('sweep', run, 'web'), agent: one.id });
    await put(check, { tags: seatTags('sweep', run, 'skeptic') });
    const record: FormationRecord = {
      ...{
        formation: 'sweep',
        run,
        goal: 'A cache',
        state: 'running',
        at: '2026-11-23T10:00:00Z',
        tasks: [scout, check],
      },
      ...{ seats: [{ name: 'web' }], options: {}, kept: {}, defaults: [], stumbles: {}, notes: [] },
      ...{ handoffs: {}, judged: {}, stale: [] },
    };
    await store.commit((view) => ({
      events: [recordEvent(view, record, 'formation_start', { actor: 'ann' })],
      result: undefined,
    }));
    await expect(call(assign, { id: check, agent: 'One' })).rejects.toThrow(coded('own_work'));
    for (let time = 0; time < 3; time++) {
      expect((await call(assign, { id: check, auto: true })).agent_id).not.toBe(one.id);
      await call(assign, { id: check, clear: true });
    }
    expect(await call(assign, { id: check, agent: 'Two' })).toMatchObject({ agent_id: two.id });
    await expect(call(assign, { id: scout, agent: 'Two' })).rejects.toThrow(coded('own_work'));
    await store.close();
  },
);
