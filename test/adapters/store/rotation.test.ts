import { spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { FileStore } from '#adapters/store/files/file-store.js';
import { initialiseStore } from '#adapters/store/files/initialise.js';
import { baseEvent } from '#adapters/store/files/log-pieces.js';
import { cutLog, packPiece } from '#adapters/store/files/rotation.js';
import { addTask } from '#core/graph/add.js';
import { graphText } from '#core/graph/line.js';
import { claimTask, doneTask } from '#core/graph/moves.js';
import { GraphState } from '#core/graph/state.js';
import { graphLayout } from '#kernel/graph-folder.js';
import { collect } from '../../contract/graph-store.js';
import { mass } from '../../mass.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { bundle } from '../squad/program.js';

const START = Date.parse('2026-03-21T10:00:00Z');
const by = { name: 'ann' };

/** A graph whose clock goes on by a second with each commit. */
function place(logBytes = 4_000) {
  const folder = path.join(room(), '.workgraph');
  initialiseStore(folder);
  let now = START;
  const clock = { now: () => now };
  const open = (hold = false, at = folder) =>
    FileStore.open({ folder: at, clock, processes: new ProcessTable(), hold, logBytes });
  const add = async (store: FileStore, id: string) => {
    now += 1_000;
    return store.commit((view) => addTask(view, { title: id, id }, { now }));
  };
  return {
    folder,
    open,
    add,
    pieces: () => (existsSync(path.join(folder, 'log')) ? readdirSync(path.join(folder, 'log')).sort() : []),
  };
}

async function textOf(store: FileStore): Promise<string> {
  return graphText((await store.view()).nodes(), [], []);
}

/** The graph as all entries from the very first make it. */
async function replayed(store: FileStore): Promise<string> {
  const state = new GraphState();
  for (const entry of await collect(store.entries(1))) state.apply(entry);
  return graphText(state.nodes(), [], []);
}

async function expectWhole(store: FileStore): Promise<void> {
  const entries = await collect(store.entries(1));
  expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_, index) => index + 1));
  expect(entries.slice(1).map((entry) => entry.prev)).toEqual(entries.slice(0, -1).map((entry) => entry.id));
  expect(await replayed(store)).toBe(await textOf(store));
}

for (const hold of [false, true]) {
  verifies(
    'graph.store.rotate',
    `every reader reads across closed pieces (${hold ? 'service' : 'commands'})`,
    async () => {
      const { folder, open, add, pieces } = place();
      let store = await open(hold);
      const stop = new AbortController();
      const seen: number[] = [];
      const following = (async () => {
        for await (const entry of store.follow(1, stop.signal)) if (seen.push(entry.seq) === 60) return;
      })();
      await Promise.all(Array.from({ length: 10 }, (_, index) => add(store, `early-${index}`)));
      const early = await textOf(store);
      for (let number = 0; number < 50; number++) await add(store, `task-${number}`);
      const whole = await textOf(store);
      await following;
      await store.close(); // the last piece may be closed only now, which is an entry more

      expect(pieces().filter((name) => name.startsWith('operations-')).length).toBeGreaterThan(1);
      const log = readFileSync(path.join(folder, 'operations.jsonl'), 'utf8').trimEnd().split('\n');
      const [first = ''] = log;
      const { seq } = JSON.parse(log.at(-1) ?? '');
      const to = JSON.parse(first).seq - 1;
      expect(JSON.parse(first)).toMatchObject({ op: 'base', patch: [] });
      expect(pieces()).toContain(`base-${to}.jsonl.gz`);
      expect(pieces().some((name) => name.endsWith(`-${to}.jsonl.gz`) && name.startsWith('operations-'))).toBe(true);

      store = await open();
      expect(await store.health()).toEqual([]);
      expect(await textOf(store)).toBe(whole);
      expect((await store.view()).seq).toBe(seq);
      await expectWhole(store);
      expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
      expect((await collect(store.entries(3, 5))).map((entry) => entry.seq)).toEqual([3, 4, 5]);
      expect(graphText((await store.view(10)).nodes(), [], [])).toBe(early);
      expect(graphText((await store.view('2026-03-21T10:00:10Z')).nodes(), [], [])).toBe(early);
      expect((await store.view('2026-03-21T09:00:00Z')).size).toBe(0);
      expect((await store.view('2030-01-01T00:00:00Z')).seq).toBe(seq);
      await expect(store.view('yesterday')).rejects.toMatchObject({ code: 'bad_input' });
      await store.close();
    },
  );
}

verifies(
  ['graph.store.rotate', 'graph.task.id-once'],
  'a clone knows the graph and every id that was ever used',
  async () => {
    const { folder, open, add } = place(1_000_000);
    const store = await open();
    await add(store, 'gone');
    await add(store, 'kept');
    await store.commit(() => ({
      events: [{ op: 'hand_edit', patch: [{ id: 'gone', del: true }] }],
      result: undefined,
    }));
    expect(await store.rotate()).toMatchObject({ from: 1, to: 3 });
    expect(await store.rotate()).toBeUndefined();
    await add(store, 'later');
    const whole = await textOf(store);
    await store.close();
    for (const lost of [['service'], ['service', 'graph.jsonl'], ['service', 'log/base-3.jsonl.gz']]) {
      const clone = path.join(room(), '.workgraph');
      cpSync(folder, clone, { recursive: true });
      for (const name of lost) rmSync(path.join(clone, name), { recursive: true });
      const other = await open(false, clone);
      expect(await textOf(other), lost.join(' ')).toBe(whole);
      expect((await other.view()).wasUsed('gone')).toBe(true);
      await expectWhole(other);
      expect(await other.health()).toEqual([]);
      await other.close();
    }
  },
);

verifies(
  'graph.store.rotate',
  'without its closed pieces a log still loads, by its snapshot, and says what is missing',
  async () => {
    const { folder, open, add } = place(1_000_000);
    const store = await open();
    await add(store, 'before');
    await store.rotate();
    await add(store, 'after');
    const whole = await textOf(store);
    await store.close();
    rmSync(path.join(folder, 'service'), { recursive: true });
    const [base = ''] = readdirSync(path.join(folder, 'log')).filter((name) => name.startsWith('base-'));
    rmSync(path.join(folder, 'log'), { recursive: true });
    const other = await open();
    expect(await textOf(other), base).toBe(whole);
    expect(await other.health()).toMatchObject([{ code: 'corrupt', severity: 'error' }]);
    await expect(other.view(1)).rejects.toMatchObject({ code: 'corrupt' });
    await other.close();
  },
);

verifies(
  ['graph.store.rotate', 'graph.store.crash'],
  'stopped after any thing done to the disk, nothing is lost and the next goes on',
  async () => {
    const { folder, open, add, pieces } = place(1_000_000);
    const store = await open();
    for (let number = 0; number < 12; number++) await add(store, `task-${number}`);
    await store.commit((view) => claimTask(view, 'task-3', { now: START, by }));
    const picture = (await store.view()) as GraphState;
    const closing = { picture, lastId: (await collect(store.entries(13, 13)))[0]?.id, since: 0, from: 1 };
    await store.commit(() => ({ events: [baseEvent(1, 13)], result: undefined }));
    await store.commit((view) => doneTask(view, 'task-3', { now: START, by })); // comes in while the piece is packed
    const whole = await textOf(store);
    await store.close();
    expect(pieces()).toEqual([]);

    const outcomes: string[] = [];
    for (let stopAfter = 0; ; stopAfter++) {
      const copy = path.join(room(), '.workgraph');
      cpSync(folder, copy, { recursive: true });
      const done = await steps(copy, closing, stopAfter);
      const next = await open(false, copy);
      expect(await textOf(next), `after ${done.at(-1)}`).toBe(whole);
      expect(await next.health()).toEqual([]);
      await expectWhole(next);
      const cut =
        (await collect(next.entries(1, 1))).length === 1 &&
        !readFileSync(path.join(copy, 'operations.jsonl'), 'utf8').includes('"seq":1,');
      outcomes.push(cut ? 'new' : 'old');
      await add(next, 'afterwards');
      expect(await next.rotate()).toMatchObject({ to: 16 });
      await expectWhole(next);
      await next.close();
      const clone = path.join(room(), '.workgraph');
      cpSync(copy, clone, { recursive: true });
      rmSync(path.join(clone, 'service'), { recursive: true });
      const other = await open(false, clone);
      await expectWhole(other);
      expect((await other.view()).task('afterwards')).toBeDefined();
      await other.close();
      if (done.length < stopAfter) break;
    }
    expect(outcomes.length).toBeGreaterThan(7);
    expect(new Set(outcomes)).toEqual(new Set(['old', 'new']));
  },
);

/** Closes the piece until so many things were done to the disk. Answers what they were. */
async function steps(folder: string, closing: Parameters<typeof packPiece>[1], most: number): Promise<string[]> {
  const done: string[] = [];
  const paths = graphLayout(folder);
  if (most === 0) return done;
  for await (const step of packPiece(paths, closing)) if (done.push(step) === most) return done;
  for (const step of cutLog(paths, closing)) if (done.push(step) === most) return done;
  return done;
}

const KILLS = mass(8, 24);
const LOOKS = 300;
const PIECES = 60;

verifies(
  ['graph.store.rotate', 'graph.store.crash'],
  `${KILLS} kills of processes that close the log all the time lose nothing`,
  async () => {
    const program = await bundle(path.join(import.meta.dirname, 'rotating-child.ts'), room('program'));
    const { folder, open, pieces } = place(3_000);
    const acknowledged: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const child = spawn(process.execPath, [program, folder, kill % 2 === 0 ? 'hold' : 'each', '3000', `k${kill}`]);
      let output = '';
      const most = 5 + ((kill * 7) % 40);
      await new Promise<void>((resolve, reject) => {
        child.once('error', reject);
        child.once('exit', () => resolve());
        child.stderr.on('data', (data) => reject(new Error(String(data))));
        child.stdout.on('data', (data) => {
          output += data;
          if (output.split('\n').length > most) child.kill('SIGKILL');
        });
      });
      acknowledged.push(...output.split('\n').slice(0, -1));
    }
    const store = await open();
    await expectWhole(store);
    const view = await store.view();
    expect(acknowledged.filter((id) => view.task(id) === undefined)).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(KILLS * 5);
    expect(pieces().length).toBeGreaterThan((KILLS * 5) / 6);
    await store.close();
  },
);

verifies(
  'graph.port.shared',
  'a request answered in a piece that is closed is answered the same for a day',
  async () => {
    const { open, add } = place(1_000_000);
    const store = await open(true);
    const ask = (to: FileStore) =>
      to.commit((view) => addTask(view, { title: 'Once' }, { now: START }), { requestId: 'r-1' });
    const answer = await ask(store);
    await add(store, 'other');
    await store.rotate();
    await add(store, 'another');
    await store.close();
    for (const hold of [true, false]) {
      const next = await open(hold);
      expect((await ask(next)).result).toEqual(answer.result);
      expect((await next.view()).size).toBe(3);
      await next.close();
    }
  },
);

verifies('graph.store.rotate', 'a leftover of a rotation that never came to its end is read by nobody', async () => {
  const { folder, open, add, pieces } = place(1_000_000);
  const store = await open();
  for (let number = 0; number < 5; number++) await add(store, `task-${number}`);
  await store.rotate();
  writeFileSync(path.join(folder, 'log', 'operations-1-2.jsonl.gz'), 'not packed at all');
  await add(store, 'later');
  await expectWhole(store);
  await store.rotate();
  await expectWhole(store);
  await store.close();
  expect(pieces()).toContain('operations-1-2.jsonl.gz');
});

verifies('graph.store.rotate', 'by itself at 10 MB, and not before', async () => {
  const folder = path.join(room(), '.workgraph');
  initialiseStore(folder);
  const clock = { now: () => START };
  const store = await FileStore.open({ folder, clock, processes: new ProcessTable(), hold: false });
  const fill = (bytes: number) => {
    const events = Array.from({ length: Math.ceil(bytes / 1_000_000) }, (_, index) => {
      const id = `t${index}`;
      const put = { kind: 'task', id, title: id, status: 'open', note: 'x'.repeat(1_000_000) };
      return { op: 'add_task', task_id: id, patch: [{ id, put }] };
    });
    return store.commit(() => ({ events, result: undefined }));
  };
  await fill(9_000_000);
  expect(existsSync(path.join(folder, 'log'))).toBe(false);
  await fill(2_000_000);
  expect((await store.view()).size).toBe(9);
  await store.close();
  expect(readdirSync(path.join(folder, 'log')).sort()).toEqual(['base-11.jsonl.gz', 'operations-1-11.jsonl.gz']);
  expect(readFileSync(path.join(folder, 'operations.jsonl'), 'utf8').trimEnd().split('\n')).toHaveLength(1);
});

verifies(
  'graph.task.id-once',
  'many ids that are no longer in use stand in a file of their own, which may get lost',
  async () => {
    const { folder, open } = place(1_000_000);
    const service = path.join(folder, 'service');
    const store = await open();
    const names = Array.from({ length: 450 }, (_, index) => `t${index}`);
    const put = (id: string) => ({ id, put: { kind: 'task', id, title: id, status: 'done' } });
    await store.commit(() => ({ events: [{ op: 'add_task', patch: names.map(put) }], result: undefined }));
    for (const part of [names.slice(0, 300), names.slice(300)]) {
      const patch = part.map((id) => ({ id, del: true as const, to: 'archive' as const, kept: put(id).put }));
      await store.commit(() => ({ events: [{ op: 'archive', patch }], result: undefined }));
      await store.snapshot();
    }
    await store.close();
    const files = () => readdirSync(service).filter((name) => name.startsWith('retired-'));
    expect(files()).toEqual(['retired-3.json']);
    expect(readFileSync(path.join(service, 'snapshot.json'), 'utf8').length).toBeLessThan(1_000);
    for (const lose of [false, true]) {
      if (lose) rmSync(path.join(service, 'retired-3.json'));
      const next = await open();
      const view = await next.view();
      expect([view.wasUsed('t449'), view.wasUsed('other'), view.departed('t7')?.batch]).toEqual([true, false, 2]);
      expect(await next.archived({})).toHaveLength(450);
      await next.commit((now) => addTask(now, { title: `New ${lose}` }, { now: START }));
      await next.close();
      expect(files()).toEqual(['retired-3.json']);
    }
  },
);

verifies('graph.store.rotate', 'a follower that was slow misses nothing that was packed away meanwhile', async () => {
  const { open, add } = place(1_000_000);
  const store = await open();
  const stop = new AbortController();
  await add(store, 'first');
  const following = store.follow(1, stop.signal)[Symbol.asyncIterator]();
  expect((await following.next()).value?.seq).toBe(1);
  for (const round of [1, 2]) {
    for (let number = 0; number < 4; number++) await add(store, `round-${round}-${number}`);
    await store.rotate();
  }
  await add(store, 'last');
  const seen: (number | undefined)[] = [];
  while (seen.length < 11) seen.push((await following.next()).value?.seq);
  expect(seen).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  stop.abort();
  await following.return?.();
  await store.close();
});

verifies(
  'graph.store.rotate',
  'a mark from before the log was closed is not taken for a mark of the new log',
  async () => {
    const { folder, open, add } = place(1_000_000);
    await (await open(true)).close(); // leaves a mark that says: nothing yet, at byte 0
    const old = path.join(room(), '.workgraph');
    cpSync(folder, old, { recursive: true });
    const store = await open();
    await add(store, 'a');
    await store.rotate();
    await add(store, 'b');
    await store.close();
    for (const name of ['graph.jsonl', 'service/snapshot.json', 'service/graph.base.jsonl'])
      cpSync(path.join(old, name), path.join(folder, name), { preserveTimestamps: true });
    const next = await open();
    const view = await next.view();
    expect([view.task('a')?.title, view.task('b')?.title]).toEqual(['a', 'b']);
    await expectWhole(next);
    await next.close();
  },
);

verifies(
  ['graph.store.rotate', 'graph.port.shared'],
  'whoever reads while the log is cut sees the graph whole',
  async () => {
    const program = await bundle(path.join(import.meta.dirname, 'rotating-child.ts'), room('program'));
    const { folder, open } = place();
    const child = spawn(process.execPath, [program, folder, 'hold', '500', 'k']);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const packed = () => (existsSync(path.join(folder, 'log')) ? readdirSync(path.join(folder, 'log')).length : 0);
    try {
      for (let look = 0; look < LOOKS || packed() < PIECES; look++) {
        const store = await open();
        const view = await store.view();
        const numbers = [...view.nodes()].map((node) => Number(node.id.slice(2))).sort((left, right) => left - right);
        expect(numbers, `look ${look}`).toEqual(numbers.map((_, index) => index));
        await store.close();
      }
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
  },
);
