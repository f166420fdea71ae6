import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { agentCreate } from '#operations/agency/entities.js';
import { evaluationRecord, evaluationShow } from '#operations/agency/evaluations.js';
import { agencyInit } from '#operations/agency/init.js';
import { retry } from '#operations/graph/moves.js';
import { loadAgency } from '#operations/load-agency.js';
import { promptOf } from '#operations/runs/prompt-of.js';
import { bothPorts } from '../../both-ports.js';
import { verifies } from '../../verifies.js';
import { PLAIN_ATTEMPT } from '../runs/plain-attempt.js';
import { stage } from './place.js';

const coded = (code: string) => expect.objectContaining({ code });

async function team() {
  const own = await stage({
    runs: async () => ({ identity: async () => undefined }) as never,
    ...bothPorts(async () => ({ list: async () => [] }) as never),
  });
  await own.call(agencyInit);
  const made = await own.call(agentCreate, { name: 'Rusty', role: 'Programmer', tradeoff: 'Careful' });
  const known = async () => {
    const agency = await loadAgency({ agency: async () => own.agency, graph: async () => own.store });
    const agent = agency.agent(made.id);
    const role = agency.role(agent?.role_id ?? '');
    const tradeoff = agency.tradeoff(agent?.tradeoff_id ?? '');
    if (!agent || !role || !tradeoff) throw new Error('the agent is made of what is there');
    return { agent, role, tradeoff };
  };
  const folder = path.join(own.folder, 'agency/evaluations');
  return { ...own, id: made.id, known, files: () => readdirSync(folder).sort() };
}

verifies(
  ['eval.propagate', 'eval.file', 'eval.record', 'eval.idempotent'],
  'a score is on three records at once, and once only however often it is said',
  async () => {
    const { call, put, store, id, known, files, folder } = await team();
    await put('a', { status: 'done', agent: id, fence: 3 });
    await put('b', { status: 'failed', agent: id });
    const said = { id: 'a', score: 0.6, source: 'ci:unit', evaluation_id: 'build-17', dimensions: ['efficiency=0.2'] };
    const first = await call(evaluationRecord, said);
    expect(first).toMatchObject({ evaluation_id: 'build-17', score: 0.6, source: 'ci:unit' });
    const { agent, role, tradeoff } = await known();
    const file = path.join(folder, 'agency/evaluations/build-17.yaml');
    expect(parse(readFileSync(file, 'utf8'))).toEqual({
      id: 'build-17',
      task_id: 'a',
      attempt: 3,
      agent_id: id,
      role_id: role.id,
      tradeoff_id: tradeoff.id,
      score: 0.6,
      dimensions: { efficiency: 0.2 },
      notes: '',
      evaluator: 'ann',
      source: 'ci:unit',
      timestamp: '2026-03-01T10:00:00.000Z',
    });
    const reference = {
      score: 0.6,
      task_id: 'a',
      timestamp: '2026-03-01T10:00:00.000Z',
      evaluation_id: 'build-17',
      source: 'ci:unit',
    };
    const once = (context_id: string) => ({
      task_count: 1,
      avg_score: 0.6,
      evaluations: [{ ...reference, context_id }],
    });
    expect(agent.performance).toEqual(once(role.id));
    expect(role.performance).toEqual(once(tradeoff.id));
    expect(tradeoff.performance).toEqual(once(role.id));
    // said again, with another score: the stored one is answered
    const again = await call(evaluationRecord, { ...said, score: 0.1 });
    expect(again).toMatchObject({ evaluation_id: 'build-17', score: 0.6, seq: first.seq });
    expect((await known()).agent.performance.task_count).toBe(1);
    await call(evaluationRecord, { id: 'b', score: 1, source: 'user:ann' });
    for (const { performance } of Object.values(await known()))
      expect(performance).toMatchObject({ task_count: 2, avg_score: 0.8 });
    expect(files()).toEqual(['build-17.yaml', 'eval-b-2026-03-01T10-00-00.000Z.yaml']);
    for (const evaluation_id of ['../x', 'imported-x', 'x'.repeat(200), '.x'])
      await expect(call(evaluationRecord, { ...said, evaluation_id })).rejects.toThrow(coded('bad_input'));
    for (const score of [-0.01, 1.01])
      await expect(call(evaluationRecord, { id: 'a', score })).rejects.toThrow(coded('bad_score'));
    await put('open', { agent: id });
    await expect(call(evaluationRecord, { id: 'open', score: 1 })).rejects.toThrow(coded('not_evaluable'));
    expect(files()).toHaveLength(2);
    await store.close();
  },
);

verifies(
  'eval.no-agent',
  'without an agent a score is kept and warned of; a person has a record of their own',
  async () => {
    const { call, put, store, known, files, agency } = await team();
    const person = await call(agentCreate, { name: 'Ida', executor: 'email', contact: 'ida@example.org' });
    await put('free', { status: 'done' });
    await put('gone', { status: 'done', agent: 'f'.repeat(64) });
    await put('hers', { status: 'done', agent: person.id });
    const warned = await call(evaluationRecord, { id: 'free', score: 1 });
    expect(warned.warnings).toEqual([expect.stringContaining('credited to no one')]);
    expect((await call(evaluationRecord, { id: 'gone', score: 1 })).warnings).toEqual([
      expect.stringContaining('does not exist here'),
    ]);
    expect(await call(evaluationRecord, { id: 'hers', score: 0.5 })).not.toHaveProperty('warnings');
    expect(files()).toHaveLength(3);
    for (const { performance } of Object.values(await known())) expect(performance.task_count).toBe(0);
    const all = await loadAgency({ agency: async () => agency, graph: async () => store });
    expect(all.agent(person.id)?.performance).toMatchObject({ task_count: 1, avg_score: 0.5 });
    await store.close();
  },
);

verifies(['eval.show', 'eval.source'], 'scores are shown newest first, by task, agent and source', async () => {
  const { call, put, store, id, pass } = await team();
  await put('a', { status: 'done', agent: id });
  await put('b', { status: 'done' });
  for (const [task, source] of [
    ['a', 'ci:unit'],
    ['b', 'ci:lint'],
    ['a', 'outcome:uptime*'],
    ['b', 'vx:peer 1'],
  ]) {
    await call(evaluationRecord, { id: task, score: 0.5, source });
    pass(1_000);
  }
  const shown = async (input: object) =>
    (await call(evaluationShow, input)).evaluations.map(({ task_id, source }) => `${task_id} ${source}`);
  expect(await shown({})).toEqual(['b vx:peer 1', 'a outcome:uptime*', 'b ci:lint', 'a ci:unit']);
  expect(await shown({ task: 'a' })).toEqual(['a outcome:uptime*', 'a ci:unit']);
  expect(await shown({ agent: 'Rusty' })).toEqual(['a outcome:uptime*', 'a ci:unit']);
  expect(await shown({ source: 'ci:*' })).toEqual(['b ci:lint', 'a ci:unit']);
  expect(await shown({ source: '*:*i*' })).toEqual(['a outcome:uptime*', 'b ci:lint', 'a ci:unit']);
  expect(await shown({ source: 'ci:lint', task: 'b' })).toEqual(['b ci:lint']);
  expect(await shown({ source: 'ci' })).toEqual([]);
  expect(await shown({ limit: 1 })).toEqual(['b vx:peer 1']);
  expect(await shown({ id: 'eval-a-2026-03-01T10-00-00.000Z' })).toEqual(['a ci:unit']);
  await expect(call(evaluationShow, { task: 'nobody' })).rejects.toThrow(coded('unknown_task'));
  await store.close();
});

verifies('gate.rule', 'a score that comes after all fails what is done, where the settings gate it', async () => {
  const { call, put, store, configure } = await team();
  const statusOf = async (id: string) => (await store.view()).task(id)?.status;
  configure({ agency: { eval_gate_threshold: 0.7 } });
  for (const id of ['gated', 'edge', 'ci', 'free']) {
    await put(id, { status: 'done', ...(id === 'free' ? {} : { tags: ['eval-gate'] }) });
  }
  await put('after', { status: 'in-progress', after: ['gated'], assigned: 'agent-1', fence: 1 });
  await put('waits', { after: ['gated'] });
  const rejected = await call(evaluationRecord, { id: 'gated', score: 0.62, source: 'llm' });
  expect((await store.view()).task('gated')).toMatchObject({
    status: 'failed',
    failure_reason: 'evaluation rejected: score 0.62 below threshold 0.70',
  });
  expect(rejected.warnings).toContain('after is already running on the rejected work.');
  expect(rejected.warnings?.join()).not.toContain('waits');
  await call(evaluationRecord, { id: 'edge', score: 0.7, source: 'llm' });
  await call(evaluationRecord, { id: 'ci', score: 0, source: 'ci:unit' });
  await call(evaluationRecord, { id: 'free', score: 0, source: 'llm' });
  for (const id of ['edge', 'ci', 'free']) expect(await statusOf(id), id).toBe('done');
  configure({ agency: { eval_gate_threshold: 0.7, eval_gate_all: true } });
  await call(evaluationRecord, { id: 'free', score: 0.1, source: 'llm' });
  expect(await statusOf('free')).toBe('failed');
  configure({});
  await call(evaluationRecord, { id: 'edge', score: 0, source: 'llm' });
  expect(await statusOf('edge')).toBe('done');
  await store.close();
});

verifies('gate.retry', 'whoever tries again is told what the evaluation said', async () => {
  const { call, put, store, configure, context } = await team();
  configure({ agency: { eval_gate_threshold: 0.7 } });
  await put('a', { status: 'done', tags: ['eval-gate'] });
  await put('b', { status: 'done' });
  await put('after', { after: ['a'] });
  await call(evaluationRecord, { id: 'a', score: 0.2, source: 'llm', notes: 'The empty list\nis not handled.' });
  await call(evaluationRecord, { id: 'b', score: 0.2, source: 'llm', notes: 'Nothing of this.' });
  const told = async (id: string) => (await promptOf(context(), await store.view(), id, PLAIN_ATTEMPT)).text;
  const wanted = '0.20 from llm: The empty list is not handled.';
  expect(await told('after')).toContain(wanted);
  await call(retry, { id: 'a' });
  expect((await store.view()).task('a')?.status).toBe('open');
  expect(await told('a')).toContain(wanted);
  expect(await told('a')).not.toContain('Nothing of this');
  await store.close();
});
