import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { evaluationRecord, evaluationShow } from '#operations/agency/evaluations.js';
import { replay } from '#operations/history/replay.js';
import { verifies } from '../../verifies.js';
import { stage } from './place.js';

const coded = (code: string) => expect.objectContaining({ code });

async function sample() {
  const own = await stage();
  await own.put('a', { status: 'done', fence: 2 });
  await own.put('b', { status: 'failed' });
  await own.put('c');
  const folder = path.join(own.folder, 'agency/evaluations');
  return { ...own, files: () => (existsSync(folder) ? readdirSync(folder).sort() : []) };
}

verifies('graph.watch.adapters', 'a score becomes a file and an event, and replay sees it', async () => {
  const { project, store, call, files, pass } = await sample();
  const score = { id: 'a', score: 0.6, source: 'ci:unit', dimensions: ['correctness=0.9'], notes: 'Two\nlines' };
  const first = await call(evaluationRecord, score);
  expect(first).toEqual({
    task_id: 'a',
    evaluation_id: 'eval-a-2026-03-01T10-00-00.000Z',
    score: 0.6,
    dimensions: { correctness: 0.9 },
    notes: 'Two\nlines',
    evaluator: 'ann',
    source: 'ci:unit',
    path: '.workgraph/agency/evaluations/eval-a-2026-03-01T10-00-00.000Z.yaml',
    seq: 4,
    warnings: ['a has no agent: its score is kept, but credited to no one.'],
  });
  expect(parse(readFileSync(path.join(project, first.path), 'utf8'))).toEqual({
    id: first.evaluation_id,
    task_id: 'a',
    attempt: 2,
    agent_id: null,
    role_id: null,
    tradeoff_id: null,
    score: 0.6,
    dimensions: { correctness: 0.9 },
    notes: 'Two\nlines',
    evaluator: 'ann',
    source: 'ci:unit',
    timestamp: '2026-03-01T10:00:00.000Z',
  });
  const entries = [];
  for await (const entry of store.entries(4)) entries.push(entry);
  expect(entries).toMatchObject([
    {
      op: 'evaluate_record',
      task_id: 'a',
      actor: 'ann',
      detail: { id: first.evaluation_id, score: 0.6, source: 'ci:unit' },
      patch: [],
    },
  ]);
  // asked again
  const asked = { id: 'b', score: 0.1 };
  const once = await call(evaluationRecord, asked, 'request-1');
  expect(await call(evaluationRecord, { ...asked, score: 0.2 }, 'request-1')).toEqual(once);
  expect(files()).toHaveLength(2);
  // in the same millisecond
  const second = await call(evaluationRecord, { id: 'a', score: 0.8, actor: 'ben' });
  expect(second).toMatchObject({ evaluation_id: 'eval-a-2026-03-01T10-00-00.001Z', source: 'user:ben' });
  pass(1000);
  await call(evaluationRecord, { id: 'b', score: 0 });
  expect(files()).toHaveLength(4);
  const shown = await call(evaluationShow, {});
  expect(shown.evaluations.map((one) => [one.task_id, one.score])).toEqual([
    ['b', 0],
    ['a', 0.8],
    ['a', 0.6],
    ['b', 0.1],
  ]);
  expect(await call(evaluationShow, { id: 'a', limit: 1 })).toMatchObject({ total: 2, evaluations: [{ score: 0.8 }] });
  expect(await call(evaluationShow, { id: 'c' })).toEqual({ evaluations: [], total: 0, kept: 4, warnings: [] });
  writeFileSync(path.join(project, '.workgraph/agency/evaluations/half.yaml'), 'id: "half\n');
  expect((await call(evaluationShow, { id: 'c' })).warnings).toEqual([expect.stringMatching(/^half\.yaml: /)]);
  writeFileSync(path.join(project, '.workgraph/agency/evaluations/half.yaml'), 'id: "half"\ntask_id: "c"\n');
  expect((await call(evaluationShow, { id: 'c' })).warnings).toEqual([expect.stringContaining('half')]);
  rmSync(path.join(project, '.workgraph/agency/evaluations/half.yaml'));
  await expect(call(evaluationShow, { id: 'nobody' })).rejects.toThrow(coded('unknown_task'));
  expect(await call(replay, { below_score: 0.7, plan_only: true })).toMatchObject({ reset_tasks: ['b'] });
  await store.close();
});

verifies('graph.watch.adapters', 'what is refused leaves neither a file nor an event', async () => {
  const { store, call, files, as, put } = await sample();
  const before = (await store.view()).seq;
  const refused = async (input: object, code: string) =>
    await expect(call(evaluationRecord, { id: 'a', score: 1, ...input }), JSON.stringify(input)).rejects.toThrow(
      coded(code),
    );
  for (const score of [-0.1, 1.1]) await refused({ score }, 'bad_score');
  await refused({ id: 'nobody' }, 'unknown_task');
  await refused({ id: 'c' }, 'not_evaluable');
  for (const word of ['beauty=1', 'correctness', 'correctness=', '__proto__=1']) {
    await refused({ dimensions: [word] }, 'bad_input');
  }
  await refused({ dimensions: ['correctness=1', 'correctness=0'] }, 'bad_input');
  for (const value of ['2', 'x']) await refused({ dimensions: [`correctness=${value}`] }, 'bad_score');
  for (const source of ['', ' ', 'a\nb', '\u001b[31m', 'x'.repeat(101)]) await refused({ source }, 'bad_input');
  await refused({ notes: 'é'.repeat(8193) }, 'too_large');
  expect((await store.view()).seq).toBe(before);
  expect(files()).toEqual([]);

  await put('mine', { status: 'done', assigned: 'agent-1', fence: 1 });
  await put('child', { status: 'done', created_by: 'agent-1' });
  await put('review', { status: 'in-progress', assigned: 'agent-2', fence: 3 });
  as({ kind: 'run', name: 'agent-1', taskId: 'mine', fence: 1 });
  await refused({ id: 'mine', actor: 'ben' }, 'own_work');
  await refused({ id: 'child' }, 'own_work');
  as({ kind: 'run', name: 'agent-2', taskId: 'review', fence: 2 });
  await refused({ id: 'mine' }, 'stale_attempt');
  expect(files()).toEqual([]);
  as({ kind: 'run', name: 'agent-2', taskId: 'review', fence: 3 });
  expect(await call(evaluationRecord, { id: 'mine', score: 1, actor: 'ben' })).toMatchObject({
    evaluator: 'agent-2',
    source: 'llm',
  });
  await store.close();
});
