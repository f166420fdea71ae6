import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { logTask, retryTask } from '#core/graph/moves.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { collect } from '../../contract/graph-store.js';
import { verifies } from '../../verifies.js';
import { by, clock, graphPlace } from './graph-place.js';

const FIXTURE = path.resolve(import.meta.dirname, '../../fixtures/original');

/** A project as the original tool leaves it: no log of ours, its own history beside. */
function found() {
  const place = graphPlace();
  rmSync(place.folder, { recursive: true });
  cpSync(FIXTURE, place.folder, { recursive: true });
  return place;
}

function nodesOf(text: string): Record<string, Record<string, unknown>> {
  const lines = text.split('\n').filter((line) => line.startsWith('{'));
  return Object.fromEntries(lines.map((line) => JSON.parse(line)).map((node) => [node.id, node]));
}

verifies('graph.compat.read', 'a graph of the original tool is read with all its words of old', async () => {
  const { view, health } = found();
  const seen = await view();
  expect(seen.size).toBe(7);
  expect(seen.task('review-draft')).toMatchObject({ status: 'done', after: ['write-draft'], before: ['revise-draft'] });
  expect(seen.dependents('write-draft')).toEqual(['review-draft']);
  expect(seen.dependents('review-draft')).toEqual(['revise-draft']);
  expect(seen.task('print')?.title).toBe('Print it');
  expect(fieldsOf(seen.task('print'))['agent']).toBe(
    'f51439356729d112a6c404803d88015d5b44832c6c584c62b96732b63c2b0c7e',
  );
  expect(seen.node('ann')).toMatchObject({ kind: 'actor', capacity: 8 });
  expect(await health()).toMatchObject([{ code: 'duplicate_id', severity: 'warning', line: 10 }]);
});

verifies(
  ['graph.compat.read', 'graph.task.unknown', 'graph.store.lines'],
  'the first write adopts it in one event, keeps the found file, and loses no field',
  async () => {
    const { folder, graph, view, ops, commit } = found();
    const before = readFileSync(graph, 'utf8');
    await view();
    expect(readFileSync(graph, 'utf8')).toBe(before);
    expect(readdirSync(folder).sort()).toEqual(['graph.jsonl', 'log']);
    await commit((seen) => logTask(seen, 'publish', 'hello', { now: clock.now(), by }));
    expect(ops()).toEqual(['adopt', 'log']);
    const [kept] = readdirSync(path.join(folder, 'log')).filter((name) => name.startsWith('graph-found-'));
    expect(readFileSync(path.join(folder, 'log', kept ?? ''), 'utf8')).toBe(before);

    const after = readFileSync(graph, 'utf8');
    expect(after.startsWith('# the plan of the first quarter\n')).toBe(true);
    const [was, is] = [nodesOf(before), nodesOf(after)];
    expect(Object.keys(is)).toEqual(Object.keys(was).sort());
    for (const [id, node] of Object.entries(was)) {
      const { blocked_by, blocks, description, status, ...same } = node;
      if (description !== null && description !== undefined) Object.assign(same, { description });
      if (status !== 'pending-review') Object.assign(same, status === undefined ? {} : { status });
      const { rev: _rev, ...now } = is[id] ?? {};
      if (id === 'publish') expect(now['log']).toMatchObject([{ message: 'hello' }]);
      expect(now, id).toMatchObject(same);
      if (blocked_by) expect(now['after']).toEqual(blocked_by);
      if (blocks) expect(now['before']).toEqual(blocks);
    }
    expect((await view()).size).toBe(7);
  },
);

verifies(
  'graph.compat.read',
  'what the original tool changes after us is kept, although its writer drops what it does not know',
  async () => {
    const { graph, view, commit } = graphPlace();
    const line = { kind: 'task', id: 'a', title: 'A', status: 'failed' };
    writeFileSync(graph, `${JSON.stringify(line)}\n`);
    await commit((seen) => retryTask(seen, 'a', { now: clock.now(), by }));
    const { rev: _, ...own } = nodesOf(readFileSync(graph, 'utf8'))['a'] ?? {};
    expect(own).toMatchObject({ status: 'open', log: [expect.anything()] });
    writeFileSync(graph, `${JSON.stringify({ ...own, status: 'failed' })}\n`);
    expect((await view()).task('a')).toMatchObject({ status: 'failed', log: own['log'] });
    await commit((seen) => retryTask(seen, 'a', { now: clock.now(), by }));
    writeFileSync(graph, `${JSON.stringify(line)}\n`);
    expect((await view()).task('a'), 'a checkout of the file as it was found').toMatchObject({ status: 'open' });
  },
);

verifies('graph.compat.read', 'the history it kept, packed or not, is read in order and changes nothing', async () => {
  const { open, add } = found();
  await add('One more');
  const store = await open();
  const entries = await collect(store.entries(0));
  const old = entries.filter((entry) => entry.seq === 0);
  expect(old).toHaveLength(404);
  expect(old[0]).toMatchObject({ op: 'add_task', task_id: 'publish', detail: { title: 'Publish' }, patch: [] });
  expect(old.at(-3)?.detail).toMatchObject({ message: expect.stringContaining('line 400 ') });
  expect(old.slice(-2).map((entry) => entry.op)).toEqual(['done', 'pause']);
  expect(entries.slice(404).map((entry) => entry.op)).toEqual(['adopt', 'add_task']);
  expect((await collect(store.entries(1))).map((entry) => entry.seq)).toEqual([1, 2]);
  await store.close();
});

verifies('graph.compat.read', 'a damaged piece of that history costs only itself, and doctor says so', async () => {
  const { folder, open, doctor } = found();
  const piece = path.join(folder, 'log', '20260103T000000.jsonl.zst');
  truncateSync(piece, 700);
  writeFileSync(path.join(folder, 'log', 'nonsense.jsonl.zst'), 'not packed at all');
  const store = await open();
  const ops = (await collect(store.entries(0))).map((entry) => entry.op);
  expect(ops.slice(-2)).toEqual(['done', 'pause']);
  await store.close();
  const findings = (await doctor.examine()).filter((finding) => finding.code === 'old_history');
  expect(findings.map((finding) => path.basename(finding.file ?? '')).sort()).toEqual([
    '20260103T000000.jsonl.zst',
    'nonsense.jsonl.zst',
  ]);
});

verifies('graph.compat.read', 'old entries in the place of our log are history too, and no damage', async () => {
  const { graph, log, add, health, ops, open } = graphPlace();
  writeFileSync(log, '{"timestamp":"2026-01-01T00:00:00Z","op":"add_task","task_id":"old","detail":{}}\n');
  writeFileSync(graph, '{"kind":"task","id":"old","title":"Old","status":"open"}\n');
  await add('New');
  expect(ops()).toEqual(['add_task', 'adopt', 'add_task']);
  expect(await health()).toEqual([]);
  const store = await open();
  expect((await collect(store.entries(0))).map((entry) => [entry.seq, entry.op])).toEqual([
    [0, 'add_task'],
    [1, 'adopt'],
    [2, 'add_task'],
  ]);
  await store.close();
});
