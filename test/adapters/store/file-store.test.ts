import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { FileStore } from '#adapters/store/files/file-store.js';
import { initialiseStore } from '#adapters/store/files/initialise.js';
import { addTask } from '#core/graph/add.js';
import { graphText } from '#core/graph/line.js';
import { claimTask, doneTask, logTask } from '#core/graph/moves.js';
import { GraphState } from '#core/graph/state.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { collect } from '../../contract/graph-store.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { leaveLock } from './graph-place.js';

const clock = { now: () => Date.now() };
const by = { name: 'ann' };

function place() {
  const folder = path.join(room(), '.workgraph');
  initialiseStore(folder);
  const graph = path.join(folder, 'graph.jsonl');
  const log = path.join(folder, 'operations.jsonl');
  const open = (hold = false) => FileStore.open({ folder, clock, processes: new ProcessTable(), hold });
  const add = async (title: string) => {
    const store = await open();
    await store.commit((view) => addTask(view, { title }, { now: clock.now(), actor: 'ann' }));
    await store.close();
  };
  const view = async () => {
    const store = await open();
    const seen = await store.view();
    await store.close();
    return seen;
  };
  return { folder, graph, log, open, add, view };
}

verifies(
  'graph.store.every',
  'a change is in the log before it is anywhere else, with all that redoes it',
  async () => {
    const { add, log, graph, open } = place();
    await add('Alpha');
    rmSync(graph);
    const store = await open();
    expect((await store.view()).task('alpha')?.title).toBe('Alpha');
    const [entry] = await collect(store.entries(1));
    expect(entry).toMatchObject({ seq: 1, op: 'add_task', task_id: 'alpha', actor: 'ann' });
    expect(readFileSync(log, 'utf8').endsWith('\n')).toBe(true);
    await store.close();
  },
);

verifies(['graph.store.load', 'graph.store.lines'], 'the log replays to the snapshot byte for byte', async () => {
  const { open, graph, log } = place();
  const store = await open(true);
  for (let number = 0; number < 12; number++) {
    await store.commit((view) =>
      addTask(view, { title: `Task number ${number} of many`, tags: ['x'] }, { now: clock.now() }),
    );
  }
  await store.commit((view) => logTask(view, [...view.candidates()][0] ?? '', 'hé', { now: clock.now(), by }));
  await store.close();
  const replayed = new GraphState();
  for (const line of readFileSync(log, 'utf8').trimEnd().split('\n')) replayed.apply(JSON.parse(line));
  expect(graphText(replayed.nodes(), [], [])).toBe(readFileSync(graph, 'utf8'));
});

verifies('graph.store.load', 'a clone that lacks the runtime folder loads the same state', async () => {
  const { add, folder, view } = place();
  await add('Alpha');
  await add('Beta');
  rmSync(path.join(folder, 'service'), { recursive: true });
  const seen = await view();
  expect(seen.seq).toBe(2);
  expect(seen.size).toBe(2);
});

verifies('graph.store.torn', 'a torn last line is set aside with a warning and blocks nothing', async () => {
  const { add, folder, log, open } = place();
  await add('Alpha');
  const whole = readFileSync(log, 'utf8');
  appendFileSync(log, '{"seq":2,"id":"zz","op":"add_task","patch":[{"id":"b","put":{"kind":"ta');
  const store = await open(true);
  expect((await store.view()).size).toBe(1);
  expect(await store.health()).toMatchObject([{ code: 'torn', severity: 'warning' }]);
  await store.commit((view) => addTask(view, { title: 'Beta' }, { now: clock.now() }));
  await store.close();
  expect(readFileSync(log, 'utf8').startsWith(whole)).toBe(true);
  expect(readFileSync(log, 'utf8').trimEnd().split('\n')).toHaveLength(2);
  const [kept] = readdirSync(path.join(folder, 'service', 'lost+found'));
  expect(kept).toMatch(/^operations-\d+-\d+\.part$/);
});

verifies('graph.store.every', 'an incomplete group at the end is dropped whole', async () => {
  const { add, log, view } = place();
  await add('Alpha');
  appendFileSync(
    log,
    `${JSON.stringify({ seq: 2, id: 'g1', tx: [1, 2], timestamp: 't', op: 'done', task_id: 'alpha', patch: [{ id: 'alpha', set: { status: 'done' } }] })}\n`,
  );
  expect((await view()).task('alpha')?.status).toBe('open');
});

verifies(
  'graph.store.torn',
  'a bad line in the middle is reported with its number, kept, and the rest loads',
  async () => {
    const { add, graph, view, open } = place();
    await add('Alpha');
    const text = readFileSync(graph, 'utf8');
    writeFileSync(graph, `# my notes\n<<<<<<< HEAD\n${text}{"kind":"task","id":"broken"\n`);
    expect((await view()).size).toBe(1);
    const store = await open();
    expect(await store.health()).toMatchObject([
      { code: 'corrupt', line: 2 },
      { code: 'corrupt', line: 4 },
    ]);
    await store.close();
    await add('Beta');
    const after = readFileSync(graph, 'utf8');
    expect(after).toContain('# my notes\n');
    expect(after).toContain('<<<<<<< HEAD\n');
    expect(after).toContain('{"kind":"task","id":"broken"\n');
    expect((await view()).size).toBe(2);
  },
);

verifies('graph.store.hand', 'the hand wins by field, other changes stay, and one event records it', async () => {
  const { add, graph, open } = place();
  await add('Alpha');
  await add('Beta');
  await add('Gamma');
  const lines = readFileSync(graph, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  lines[0].title = 'Alpha by hand';
  const edited = [lines[0], lines[1], { kind: 'task', id: 'delta', title: 'Delta', status: 'open' }];
  writeFileSync(graph, `${edited.map((line) => JSON.stringify(line)).join('\n')}\n`);
  const store = await open();
  await store.commit((view) => doneTask(view, 'alpha', { now: clock.now(), by }));
  const view = await store.view();
  expect(view.task('alpha')).toMatchObject({ title: 'Alpha by hand', status: 'done' });
  expect(view.task('gamma')).toBeUndefined();
  expect(view.wasUsed('gamma')).toBe(true);
  expect(view.task('delta')?.title).toBe('Delta');
  const entries = await collect(store.entries(4));
  expect(entries.map((entry) => entry.op)).toEqual(['hand_edit', 'done']);
  await store.close();
  const again = await open();
  expect((await again.view()).seq).toBe(entries.at(-1)?.seq);
  await again.close();
});

verifies(
  'door.file',
  'what the file says since a run is at work waits for a person, with the service up or not',
  async () => {
    for (const hold of [true, false]) {
      const { add, graph, open, view } = place();
      await add('Alpha');
      const store = await open(hold);
      await store.commit((seen) => claimTask(seen, 'alpha', { now: clock.now(), by: { name: 'agent-1' } }));
      await store.files.snapshot();
      const [line = ''] = readFileSync(graph, 'utf8').trimEnd().split('\n');
      const beta = JSON.stringify({ kind: 'task', id: 'beta', title: 'Beta', status: 'open', exec: 'rm x' });
      writeFileSync(graph, `${line.replace('"status":"in-progress"', '"status":"done"')}\n${beta}\n`);
      await store.commit(() => ({ events: [], result: undefined }));
      await store.close();
      const seen = await view();
      expect(seen.task('alpha')).toMatchObject({ status: 'in-progress', unverified_edit: { set: { status: 'done' } } });
      expect(seen.task('beta')).toMatchObject({ paused: true, unverified_edit: { set: { exec: 'rm x' } } });
      // The mark itself is no field that the file decides.
      const text = readFileSync(graph, 'utf8');
      writeFileSync(graph, text.replaceAll('unverified_edit', 'harmless'));
      expect((await view()).task('alpha')).toMatchObject({ unverified_edit: { set: { status: 'done' } } });
    }
  },
);

verifies('graph.store.hand', 'a service notices a hand within two seconds, unasked', async () => {
  const { add, graph, open } = place();
  await add('Alpha');
  const store = await open(true);
  const stop = new AbortController();
  writeFileSync(graph, readFileSync(graph, 'utf8').replace('"Alpha"', '"Omega"'));
  const started = Date.now();
  for await (const entry of store.follow(2, stop.signal)) {
    expect(entry.op).toBe('hand_edit');
    stop.abort();
  }
  expect(Date.now() - started).toBeLessThan(2_000);
  expect((await store.view()).task('alpha')?.title).toBe('Omega');
  await store.close();
});

verifies(
  'graph.compat.read',
  'a graph of the original tool is adopted in one go and the found file is kept',
  async () => {
    const { add, folder, graph, view } = place();
    writeFileSync(graph, '{"kind":"task","id":"old","title":"Old one","status":"open","loops_to":[{"target":"x"}]}\n');
    expect((await view()).task('old')?.title).toBe('Old one');
    await add('New');
    const seen = await view();
    expect(fieldsOf(seen.task('old'))['loops_to']).toEqual([{ target: 'x' }]);
    expect(seen.seq).toBe(2);
    const [kept] = readdirSync(path.join(folder, 'log'));
    expect(readFileSync(path.join(folder, 'log', kept ?? ''), 'utf8')).toContain('loops_to');
  },
);

verifies('graph.store.lock', 'a lock of a dead holder is taken over, a live one is respected', async () => {
  const { folder, add, view, open } = place();
  const lock = path.join(folder, 'service', 'write.lock');
  leaveLock(lock, { start: 'long ago' });
  await add('Alpha');
  expect((await view()).size).toBe(1);
  const holder = await open(true);
  let time = 0;
  const impatient = { now: () => (time += 3_000) };
  const other = await FileStore.open({ folder, clock: impatient, processes: new ProcessTable(), hold: false });
  await expect(other.commit((view) => addTask(view, { title: 'Beta' }, { now: 0 }))).rejects.toMatchObject({
    code: 'locked',
    details: { pid: process.pid },
  });
  await holder.close();
  await other.commit((view) => addTask(view, { title: 'Beta' }, { now: 0 }));
  await other.close();
  expect(readdirSync(path.join(folder, 'service')).filter((name) => name.startsWith('write.lock'))).toEqual([]);
});

verifies('graph.port.shared', 'a request answered by a store that died is answered the same by the next', async () => {
  const { open } = place();
  const first = await open(true);
  const ask = (store: FileStore) =>
    store.commit((view) => addTask(view, { title: 'Once' }, { now: clock.now() }), { requestId: 'r-7' });
  const answer = await ask(first);
  await first.close();
  const second = await open(true);
  expect((await ask(second)).result).toEqual(answer.result);
  expect((await second.view()).size).toBe(1);
  await second.close();
});

test('an empty folder without a graph says how to begin', async () => {
  const folder = path.join(room(), '.workgraph');
  await expect(FileStore.open({ folder, clock, processes: new ProcessTable(), hold: false })).rejects.toMatchObject({
    code: 'not_initialized',
    hint: expect.stringContaining('troupe init'),
  });
});
