import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SYSTEM_DISK } from '#adapters/store/files/disk.js';
import { tailBefore } from '#adapters/store/files/log-file.js';
import { SnapshotWriter } from '#adapters/store/files/snapshot-writer.js';
import { loadStore, positionOf, readMarks } from '#adapters/store/files/store-load.js';
import { LazyGraph } from '#adapters/store/lazy-graph.js';
import { GraphState } from '#core/graph/state.js';
import { graphLayout } from '#kernel/graph-folder.js';
import { sha256 } from '#kernel/hash.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { verifies } from '../../verifies.js';
import { graphPlace } from './graph-place.js';

const NOTE = { op: 'note', id: 'x', timestamp: '2026-03-01T10:00:00Z', patch: [] };

/** A graph of one task whose snapshot is ours, and a writer over it. */
async function place({ fresh = false, tasks = 0 } = {}) {
  const own = graphPlace();
  await own.add('Alpha');
  const paths = graphLayout(own.folder);
  if (fresh) rmSync(paths.service, { recursive: true });
  const loaded = loadStore(paths);
  let [mayWrite, now] = [true, 1_000];
  const state = new GraphState();
  state.load(loaded.graph.whole.nodes(), loaded.graph.seq);
  const put = (id: string) => ({ id, put: { kind: 'task', id, title: id, status: 'open' } }) as const;
  const patch = Array.from({ length: tasks }, (_, number) => put(`t${number}`));
  if (tasks > 0) state.apply({ ...NOTE, seq: state.seq + 1, patch });
  const position = positionOf(loaded);
  let contents = { graph: LazyGraph.of(state), position };
  let appending: Promise<void> | undefined;
  const writer = new SnapshotWriter(paths, { now: () => now++ }, SYSTEM_DISK, {
    ...{ mayWrite: () => mayWrite, contents: () => contents, appending: () => appending },
  });
  writer.adopt(loaded);
  const stamp = () => (existsSync(paths.mark) ? (readMarks(paths.mark).current?.seq ?? 'none') : 'none');
  return {
    ...{ ...own, paths, writer, state, position, stamp },
    /** So many events later; `changed` is the position in the log after them. */
    later: (events: number, bytes = 0, changed: Partial<typeof position> = {}) => {
      for (let event = 0; event < events; event++) state.apply({ ...NOTE, seq: state.seq + 1 });
      contents = { graph: LazyGraph.of(state), position: { ...position, logEnd: position.logEnd + bytes, ...changed } };
      return writer;
    },
    /** An append whose flush ends with the returned function. */
    append: () => {
      let over: () => void = () => undefined;
      appending = new Promise<void>((resolve) => {
        over = resolve;
      });
      return () => {
        appending = undefined;
        over();
      };
    },
    forbid: () => {
      mayWrite = false;
    },
  };
}

verifies('graph.store.load', 'what stands beside a snapshot says which log it was made of', async () => {
  const { paths, position, later } = await place();
  await later(0, 0, { lastId: 'the-last' }).write();
  const bytes = readFileSync(paths.graph);
  const { mtimeNs } = statSync(paths.graph, { bigint: true });
  const { current, next, folder, format } = readMarks(paths.mark);
  expect([next, format]).toEqual([undefined, 1]);
  expect(folder).toBe(`${statSync(paths.service).dev}-${statSync(paths.service).ino}`);
  expect(current).toEqual({
    ...{
      seq: 1,
      last_id: 'the-last',
      log_bytes: position.logEnd,
      log_tail: tailBefore(paths.log, position.logEnd, 64),
    },
    ...{ graph_sha256: sha256(bytes), graph_bytes: bytes.length, graph_mtime: String(mtimeNs) },
    ...{ retired: [], retired_seq: 1, last_run: 0, plain: true },
  });
  expect(readFileSync(paths.base)).toEqual(bytes);
  expect([statSync(paths.mark).mode & 0o777, statSync(paths.base).mode & 0o777]).toEqual([0o600, 0o600]);
  const plain = path.join(path.dirname(paths.folder), 'plain'); // readable for those for whom whatever a person writes is
  writeFileSync(plain, '', { mode: 0o644 });
  expect(statSync(paths.graph).mode).toBe(statSync(plain).mode);
  expect(readdirSync(paths.service).filter((name) => name.includes('draft'))).toEqual([]);
  await later(1, 0, { lastId: undefined }).write();
  expect(readMarks(paths.mark).current).not.toHaveProperty('last_id');
});

verifies('graph.store.load', 'a command writes a snapshot when it is due, and not before', async () => {
  const busy = () => true;
  const quiet = () => false;
  const after = async (
    own: Awaited<ReturnType<typeof place>>,
    events: number,
    bytes: number,
    others: () => boolean,
  ) => {
    await own.later(events, bytes).afterCommit(others);
    return own.stamp();
  };
  expect(await after(await place(), 0, 0, quiet), 'it is there').toBe(1);
  expect(await after(await place(), 1, 0, quiet), 'small, and nobody waits').toBe(2);
  expect(await after(await place(), 1, 0, busy), 'the last who waits writes it').toBe(1);
  const many = WORK_LIMITS.snapshotTailEvents;
  expect(await after(await place(), many, 0, busy)).toBe(1);
  expect(await after(await place(), many + 1, 0, busy), 'the log has grown long').toBe(many + 2);
  expect(await after(await place(), 1, WORK_LIMITS.snapshotTailBytes, busy)).toBe(1);
  const one = await place();
  writeFileSync(
    one.paths.log,
    `${readFileSync(one.paths.log, 'utf8')}${' '.repeat(WORK_LIMITS.snapshotTailBytes + 1)}`,
  );
  expect(await after(one, 1, WORK_LIMITS.snapshotTailBytes + 1, busy)).toBe(2);
  expect(await after(await place({ fresh: true }), 1, 0, busy), 'none is ours').toBe(2);
});

verifies(
  'graph.store.load',
  'the service writes a large graph while it changes if many events came for its size',
  async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const size = 2 * WORK_LIMITS.snapshotNodesAnEvent * WORK_LIMITS.snapshotTailEvents;
    const isDue = async (events: number, bytes: number) => {
      const { later, stamp } = await place({ tasks: size - 1 });
      await later(0).write();
      const before = stamp();
      // Each change postpones the snapshot, unless it is urgent.
      for (const more of [events, 1]) {
        later(more, bytes).schedule();
        vi.advanceTimersByTime(WORK_LIMITS.snapshotQuietMs - 1);
      }
      const isPending = vi.getTimerCount() > 0;
      vi.clearAllTimers();
      await later(0).finish();
      expect(stamp()).toBe(Number(before) + events + 1);
      return !isPending;
    };
    const [events, bytes] = [2 * WORK_LIMITS.snapshotTailEvents, 2 * WORK_LIMITS.snapshotTailBytes];
    expect(await isDue(events, bytes)).toBe(false);
    expect(await isDue(events + 1, 0)).toBe(true);
    expect(await isDue(1, bytes + 1)).toBe(true);
  },
);

verifies('graph.store.hand', 'what a hand wrote, and what is another’s by now, is not written over', async () => {
  const own = await place();
  own.forbid();
  await own.later(1).write();
  expect(own.stamp()).toBe(1);
  const hand = await place();
  writeFileSync(hand.paths.graph, '# mine\n');
  await hand.later(1).write();
  expect(readFileSync(hand.paths.graph, 'utf8')).toBe('# mine\n');
  await hand.later(0).finish();
  expect(readFileSync(hand.paths.graph, 'utf8')).toBe('# mine\n');
  hand.writer.overwrite();
  await hand.writer.write();
  expect(readFileSync(hand.paths.graph, 'utf8')).toContain('"alpha"');
  const gone = await place();
  rmSync(gone.paths.graph);
  await gone.later(1).finish();
  expect(readFileSync(gone.paths.graph, 'utf8')).toContain('"alpha"');
  expect(gone.stamp()).toBe(2);
  expect(gone.writer.isOwn(undefined)).toBe(false);
});

test('at the end nothing is pending, and what is there is not written twice', async () => {
  const { later, paths, stamp } = await place();
  const before = statSync(paths.graph, { bigint: true }).ino;
  await later(0).finish();
  expect(statSync(paths.graph, { bigint: true }).ino).toBe(before);
  later(0).schedule();
  later(0).schedule();
  later(1).schedule();
  await later(0).finish();
  expect(stamp()).toBe(2);
  expect(statSync(paths.graph, { bigint: true }).ino).not.toBe(before);
});

verifies('graph.store.load', 'a snapshot shows no change that the disk may still lose', async () => {
  const { later, append, stamp } = await place();
  const flushed = append();
  const writing = later(1).write();
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(stamp()).toBe(1);
  later(1);
  flushed();
  await writing;
  expect(stamp(), 'the graph as it is then').toBe(3);
});

test('comments, lines that nobody can read and the nodes between them, small and large', async () => {
  const own = graphPlace();
  writeFileSync(own.graph, '# first\n{"kind":"task","id":"b","title":"B","status":"open"}\nbroken\n# second\n');
  await own.add('A');
  const small = readFileSync(own.graph, 'utf8').split('\n');
  expect(small.map((line) => (line.startsWith('{') ? JSON.parse(line).id : line))).toEqual([
    '# first',
    '# second',
    'a',
    'b',
    'broken',
    '',
  ]);
  const paths = graphLayout(own.folder);
  expect(readMarks(paths.mark).current?.plain).toBe(false);
  const loaded = loadStore(paths);
  const state = new GraphState();
  const writer = new SnapshotWriter(paths, { now: () => 0 }, SYSTEM_DISK, {
    mayWrite: () => true,
    contents: () => ({ graph: LazyGraph.of(state), position: positionOf(loaded) }),
    appending: () => undefined,
  });
  writer.adopt(loaded);
  const count = WORK_LIMITS.snapshotNodesAtOnce + 1;
  const nodes = Array.from({ length: count }, (_, index) => ({
    kind: 'task',
    id: `t${index}`,
    title: 't',
    status: 'open',
  }));
  state.load(nodes as never, 2);
  await writer.write();
  const large = readFileSync(own.graph, 'utf8').trimEnd().split('\n');
  expect(large.length).toBe(count + 3);
  expect(large.slice(0, 2)).toEqual(['# first', '# second']);
  expect(large.at(-1)).toBe('broken');
  expect(large.slice(2, -1).map((line) => JSON.parse(line).id)).toEqual(nodes.map(({ id }) => id).sort());
  expect(readFileSync(paths.base, 'utf8')).toBe(`${large.join('\n')}\n`);
  expect(readMarks(paths.mark).current).toMatchObject({ seq: 2, graph_sha256: sha256(readFileSync(own.graph)) });
});
