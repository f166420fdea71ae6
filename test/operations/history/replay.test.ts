import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { replay } from '#operations/history/replay.js';
import { runsDiff, runsList, runsRestore, runsShow } from '#operations/history/runs.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { place } from './place.js';

const coded = (code: string) => expect.objectContaining({ code });

async function sample() {
  const own = await place();
  await own.put('a', { status: 'done', artifacts: ['x'] });
  await own.put('b', { status: 'failed', after: ['a'], failure_reason: 'no' });
  await own.put('c', { after: ['b'] });
  return {
    ...own,
    runs: () => (existsSync(path.join(own.folder, 'runs')) ? readdirSync(path.join(own.folder, 'runs')).sort() : []),
  };
}

verifies('graph.replay.reset', 'the graph is kept read only, then one group opens the tasks', async () => {
  const { folder, store, call, runs } = await sample();
  writeFileSync(path.join(folder, 'config.toml'), 'model = "x"\n');
  await store.snapshot();
  const before = readFileSync(path.join(folder, 'graph.jsonl'), 'utf8');
  const seq = (await store.view()).seq;
  const answer = await call(replay, { failed_only: true, model: 'opus' });
  expect(answer).toEqual({
    run_id: 'run-001',
    model: 'opus',
    reset_tasks: ['b', 'c'],
    preserved_tasks: ['a'],
    plan_only: false,
  });
  const kept = path.join(folder, 'runs', 'run-001');
  expect(runs()).toEqual(['run-001']);
  expect(readdirSync(kept).sort()).toEqual(['config.toml', 'graph.jsonl', 'meta.json']);
  for (const name of readdirSync(kept)) expect(statSync(path.join(kept, name)).mode & 0o222, name).toBe(0);
  expect(readFileSync(path.join(kept, 'graph.jsonl'), 'utf8')).toBe(before);
  expect(readFileSync(path.join(kept, 'config.toml'), 'utf8')).toBe('model = "x"\n');
  expect(JSON.parse(readFileSync(path.join(kept, 'meta.json'), 'utf8'))).toEqual({
    id: 'run-001',
    timestamp: '2026-03-01T10:00:00.000Z',
    model: 'opus',
    reset_tasks: ['b', 'c'],
    preserved_tasks: ['a'],
    filter: '--failed-only --model opus',
  });
  const view = await store.view();
  expect(view.task('b')).toMatchObject({ status: 'open', model: 'opus' });
  expect(view.task('b')?.failure_reason).toBeUndefined();
  const entries = [];
  for await (const entry of store.entries(seq + 1)) entries.push(entry);
  expect(entries.map((entry) => [entry.op, entry.task_id, entry.tx])).toEqual([
    ['replay', 'b', [1, 2]],
    ['replay', 'c', [2, 2]],
  ]);
  await store.close();
});

verifies(
  'graph.replay.reset',
  'a plan writes nothing; neither does a refusal, a run or a filter that nothing meets',
  async () => {
    const { store, call, runs, put, as } = await sample();
    const seq = (await store.view()).seq;
    const plan = await call(replay, { plan_only: true });
    expect(plan).toEqual({
      run_id: null,
      model: null,
      reset_tasks: ['a', 'b', 'c'],
      preserved_tasks: [],
      plan_only: true,
    });
    await put('busy', { status: 'in-progress', assigned: 'agent-1', after: ['b'] });
    await expect(call(replay, { failed_only: true })).rejects.toThrow(coded('task_running'));
    expect(await call(replay, { tasks: ['c'], below_score: undefined })).toMatchObject({ reset_tasks: ['c'] });
    await expect(call(replay, { below_score: 2 })).rejects.toThrow(coded('bad_input'));
    as({ kind: 'run', name: 'agent-1', taskId: 'busy', fence: 1 });
    await expect(call(replay)).rejects.toThrow(coded('not_yours'));
    expect((await call(replay, { plan_only: true })).plan_only).toBe(true);
    expect(runs()).toEqual(['run-001']); // of the one that had nothing to wait for
    expect((await store.view()).seq).toBe(seq + 1);
    await store.close();
  },
);

verifies('graph.replay.pick', 'each way to pick is kept with what it picked', async () => {
  const { store, call } = await sample();
  const kept = async (input: object) => {
    const { run_id: id, reset_tasks: reset } = await call(replay, input);
    const meta = await call(runsShow, { id: id ?? '' });
    return [reset, meta.filter, meta.reset_tasks];
  };
  expect(await kept({ subgraph: 'b' })).toEqual([['b', 'c'], '--subgraph b', ['b', 'c']]);
  expect(await kept({ tasks: ['a'], keep_done: 0.5 })).toEqual([
    ...[['a', 'b', 'c'], '--tasks a --keep-done 0.5', ['a', 'b', 'c']],
  ]);
  await store.close();
});

verifies(
  'graph.replay.pick',
  'scores are the best of what the evaluations say; files nobody can read say nothing',
  async () => {
    const { folder, store, call } = await sample();
    const evaluations = path.join(folder, 'agency', 'evaluations');
    mkdirSync(evaluations, { recursive: true });
    const put = (name: string, text: string) => writeFileSync(path.join(evaluations, name), text);
    put('e1.yaml', 'task_id: a\nscore: 0.4\n');
    put('e2.json', '{"task_id":"a","score":0.95}');
    put('e3.yaml', 'task_id: b\nscore: 7\n');
    put('e4.yaml', '{{{{');
    put('e5.json', 'null');
    put('e6.txt', '{"task_id":"b","score":0.1}');
    symlinkSync('/etc/hostname', path.join(evaluations, 'e7.yaml'));
    expect(await call(replay, { plan_only: true })).toMatchObject({ reset_tasks: ['b', 'c'], preserved_tasks: ['a'] });
    expect(await call(replay, { plan_only: true, keep_done: 0.96 })).toMatchObject({ reset_tasks: ['a', 'b', 'c'] });
    expect(await call(replay, { plan_only: true, below_score: 0.97 })).toMatchObject({ preserved_tasks: ['a'] });
    await store.close();
  },
);

verifies('graph.runs.all', 'list, show, diff and restore; restoring keeps the present first', async () => {
  const { folder, store, call, put } = await sample();
  expect(await call(runsList)).toEqual({ runs: [], unreadable: [] });
  await expect(call(replay, {}), 'nobody said which').rejects.toMatchObject({
    ...{ code: 'confirmation_needed', details: { count: 3 } },
    hint: 'Check with `troupe replay --plan-only`, then confirm with `troupe replay -y`.',
  });
  expect(await call(runsList)).toEqual({ runs: [], unreadable: [] });
  await call(replay, { yes: true });
  await put('added');
  await store.commit(() => ({
    events: [{ op: 'edit', patch: [{ id: 'a', set: { title: 'Other' } }] }],
    result: undefined,
  }));
  const { runs } = await call(runsList);
  expect(runs.map(({ id }) => id)).toEqual(['run-001']);
  expect(await call(runsShow, { id: 'run-001' })).toEqual(runs[0]);
  expect(await call(runsDiff, { id: 'run-001' })).toEqual({
    run_id: 'run-001',
    changes: [
      { id: 'a', snapshot_status: 'done', current_status: 'open', change: 'status_changed' },
      { id: 'added', snapshot_status: null, current_status: 'open', change: 'added' },
      { id: 'b', snapshot_status: 'failed', current_status: 'open', change: 'status_changed' },
    ],
    total_changes: 3,
  });
  expect(await call(runsRestore, { id: 'run-001' })).toEqual({
    run_id: 'run-001',
    snapshot_id: 'run-002',
    restored_tasks: ['a', 'b'],
    removed_tasks: ['added'],
  });
  const view = await store.view();
  expect(view.task('a')).toMatchObject({ status: 'done', title: 'Title of a', artifacts: ['x'] });
  expect(view.task('b')).toMatchObject({ status: 'failed', failure_reason: 'no' });
  expect(await call(runsDiff, { id: 'run-001' })).toMatchObject({ total_changes: 0 });
  expect((await call(runsRestore, { id: 'run-001' })).snapshot_id).toBeNull();
  await call(runsRestore, { id: 'run-002' });
  expect((await store.view()).task('added')?.title).toBe('Title of added');
  expect((await call(runsList)).runs.map(({ filter }) => filter)).toEqual([
    'all tasks',
    'pre-restore safety snapshot (restoring run-001)',
    'pre-restore safety snapshot (restoring run-002)',
  ]);
  for (const id of ['run-009', '../service', 'run-1', ''])
    await expect(call(runsShow, { id })).rejects.toThrow(coded('unknown_run'));
  rmSync(path.join(folder, 'runs', 'run-002', 'graph.jsonl'));
  await expect(call(runsDiff, { id: 'run-002' })).rejects.toThrow(coded('corrupt'));
  await store.close();
});

verifies('graph.runs.all', 'restore refuses while runs live, unless forced, and is no business of a run', async () => {
  const { store, call, put, as, runs } = await sample();
  await call(replay, { failed_only: true });
  await put('busy', { status: 'in-progress', assigned: 'agent-4', fence: 1 });
  await expect(call(runsRestore, { id: 'run-001' })).rejects.toThrow(coded('task_running'));
  expect(runs()).toEqual(['run-001']);
  as({ kind: 'run', name: 'agent-4', taskId: 'busy', fence: 1 });
  await expect(call(runsRestore, { id: 'run-001', force: true })).rejects.toThrow(coded('not_yours'));
  as({ kind: 'person', name: 'ann' });
  expect(await call(runsRestore, { id: 'run-001', force: true })).toMatchObject({
    snapshot_id: 'run-002',
    removed_tasks: ['busy'],
  });
  await store.close();
});

verifies(['graph.runs.all', 'sec.path.escape'], 'no run is kept or read through a link', async () => {
  const { folder, store, call } = await sample();
  const elsewhere = room('elsewhere');
  symlinkSync(elsewhere, path.join(folder, 'runs'));
  await expect(call(replay, { yes: true })).rejects.toThrow(coded('unsafe_path'));
  await expect(call(runsList)).rejects.toThrow(coded('unsafe_path'));
  expect(readdirSync(elsewhere)).toEqual([]);
  expect((await store.view()).task('b')?.status).toBe('failed');
  await store.close();
});
