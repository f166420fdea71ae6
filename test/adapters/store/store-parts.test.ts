import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { decideRound } from '#adapters/store/commit-round.js';
import { Answers } from '#adapters/store/files/answers.js';
import { draftFile, replaceFile, SYSTEM_DISK } from '#adapters/store/files/disk.js';
import { LogCloser } from '#adapters/store/files/log-closer.js';
import { baseEvent } from '#adapters/store/files/log-pieces.js';
import { reconcile } from '#adapters/store/files/reconciliation.js';
import { cutLog, packPiece } from '#adapters/store/files/rotation.js';
import { SnapshotWriter } from '#adapters/store/files/snapshot-writer.js';
import { loadStore, positionOf } from '#adapters/store/files/store-load.js';
import { LazyGraph } from '#adapters/store/lazy-graph.js';
import type { Entry } from '#core/graph/event.js';
import { parseGraph } from '#core/graph/line.js';
import { GraphState } from '#core/graph/state.js';
import { graphLayout } from '#kernel/graph-folder.js';
import { sha256 } from '#kernel/hash.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { openBelow } from '../../open-files.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { graphPlace } from './graph-place.js';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const put = (id: string, more: object = {}) => ({ id, put: { kind: 'task', id, title: id, status: 'open', ...more } });
const entry = (seq: number, op: string, patch: readonly object[], more: object = {}): Entry =>
  ({
    ...{ seq, id: `e${seq}`, op, patch, timestamp: '2026-03-01T09:00:00.000Z' },
    ...(seq > 1 ? { prev: `e${seq - 1}` } : {}),
    ...more,
  }) as never;

verifies(
  'graph.port.shared',
  'a round: what was found first, each change on those before it, an answer to each, once',
  async () => {
    const paths = graphLayout(room());
    const state = new GraphState();
    state.load([], 4);
    const told: unknown[] = [];
    const asked = (name: string, decide: (view: { size: number }) => object, request: object = {}) => ({
      decide: decide as never,
      request,
      resolve: ({ seq, result, entries }: { seq: number; result: unknown; entries: readonly Entry[] }) =>
        told.push([name, seq, result, entries.map(({ op }) => op)]),
      reject: (error: Error) => told.push([name, error.message]),
    });
    const plan =
      (result: unknown, ...ops: string[]) =>
      () => ({ result, events: ops.map((op) => ({ op, patch: [put(op)] })) });
    const answers = new Answers(paths, { now: () => NOW });
    await answers.prepare();
    const ground = {
      ...{ graph: LazyGraph.of(state), lastId: 'before', now: NOW, answers, inFlight: new Map(), mayBeOlder: true },
      withConsequences: ((_: unknown, decided: unknown) => decided) as never,
      pending: [{ op: 'hand_edit', patch: [put('by-hand')] }] as never,
    };
    const round = [
      asked(
        'one',
        (view) => ({
          result: view.size,
          events: [
            { op: 'first', patch: [put('a')] },
            { op: 'second', patch: [put('b')] },
            { op: 'third', patch: [put('c')] },
          ],
        }),
        { requestId: 'r-1', input: 'x' },
      ),
      asked('again', plan('never', 'no'), { requestId: 'r-1', input: 'x' }),
      asked('reused', plan('never', 'no'), { requestId: 'r-1', input: 'y' }),
      asked('refused', () => {
        throw new Error('no');
      }),
      asked('none', (view) => ({ result: view.size, events: [] }), { requestId: 'r-2' }),
    ];
    const { lines, lastId, answer } = decideRound(round as never, ground);
    expect(told, 'nobody was told yet').toEqual([]);
    const written = lines.map(({ line }) => JSON.parse(line) as Entry);
    expect(written.map(({ seq, op, tx }) => [seq, op, tx])).toEqual([
      [5, 'hand_edit', undefined],
      [6, 'first', [1, 3]],
      [7, 'second', [2, 3]],
      [8, 'third', [3, 3]],
    ]);
    expect(written.map(({ prev }) => prev)).toEqual(['before', ...written.slice(0, -1).map(({ id }) => id)]);
    expect(lastId).toBe(written[3]?.id);
    expect(written.map(({ detail }) => detail)).toEqual([
      undefined,
      undefined,
      undefined,
      { request: { id: 'r-1', input: 'x', result: 1 } },
    ]);
    expect(answers.of('r-1', false)).toBeUndefined();
    answer();
    expect(told).toEqual([
      ['one', 8, 1, ['first', 'second', 'third']],
      ['again', 8, 1, ['first', 'second', 'third']],
      ['reused', expect.any(String)],
      ['refused', 'no'],
      ['none', 8, 4, []],
    ]);
    expect([answers.of('r-1', false)?.commit.seq, answers.of('r-2', false)?.commit.seq]).toEqual([8, 8]);
  },
);

const onDisk = (text: string) => ({ ...parseGraph(text), sum: sha256(text) });
const line = (id: string, more: object = {}) =>
  `${JSON.stringify({ kind: 'task', id, title: id, status: 'open', ...more })}\n`;

verifies(
  'graph.store.hand',
  'what log and snapshot tell together: ours, edited, written from elsewhere, and taken in already',
  () => {
    const paths = graphLayout(room());
    mkdirSync(paths.service, { recursive: true });
    const log = [
      entry(1, 'adopt', [put('a'), put('b')]),
      entry(2, 'add_task', [put('c')]),
      entry(3, 'edit', [{ id: 'a', set: { title: 'A' } }]),
    ];
    const said = (text: string | undefined, mark?: object, entries: readonly Entry[] = log) => {
      const { state, lastId, pending, problems } = reconcile(
        paths,
        mark as never,
        text === undefined ? undefined : onDisk(text),
        entries,
      );
      const tasks = [...state.nodes()].map(({ id, title }) => `${id}:${title}`).sort();
      return {
        tasks,
        lastId,
        ops: pending.map(({ op, patch }) => [op, patch.map(({ id }) => id)]),
        problems: problems.length,
      };
    };
    const whole = { tasks: ['a:A', 'b:b', 'c:c'], lastId: 'e3', ops: [], problems: 0 };
    expect(said(undefined)).toEqual(whole);
    // A file in which no line says of which entry it is was written from what was adopted: what came later is not missing in it.
    expect(said(line('a') + line('b'))).toEqual(whole);
    expect(said(line('a', { title: 'mine' }) + line('b'))).toMatchObject({
      tasks: ['a:mine', 'b:b', 'c:c'],
      ops: [['hand_edit', ['a']]],
    });
    expect(said(line('a'))).toMatchObject({ tasks: ['a:A', 'c:c'], ops: [['hand_edit', ['b']]] });
    expect(said(line('a') + line('b') + line('d'))).toMatchObject({ tasks: ['a:A', 'b:b', 'c:c', 'd:d'] });
    // With a line of ours in it, it was written from this log.
    const ours = line('a', { title: 'A', rev: 3 }) + line('b', { rev: 1 }) + line('c', { rev: 2 });
    expect(said(ours)).toEqual(whole);
    const edited = ours.replace('"title":"c"', '"title":"C"');
    writeFileSync(paths.base, ours);
    const mark = { seq: 3, last_id: 'e3', graph_sha256: sha256(ours), retired: [] };
    expect(said(edited, mark)).toMatchObject({ tasks: ['a:A', 'b:b', 'c:C'], ops: [['hand_edit', ['c']]] });
    const later = [...log, entry(4, 'edit', [{ id: 'b', set: { title: 'B' } }])];
    expect(said(edited, mark, later), 'what was done since stays').toMatchObject({ tasks: ['a:A', 'b:B', 'c:C'] });
    const taken = [
      ...log,
      entry(4, 'hand_edit', [{ id: 'c', set: { title: 'C' } }], { detail: { snapshot_sha256: sha256(edited) } }),
      entry(5, 'edit', [{ id: 'c', set: { title: 'CC' } }]),
    ];
    expect(said(edited, mark, taken), 'it stands in the log').toMatchObject({ tasks: ['a:A', 'b:b', 'c:CC'], ops: [] });
    writeFileSync(paths.base, 'another');
    expect(said(edited, mark), 'the copy is another').toMatchObject({ tasks: ['a:A', 'b:b', 'c:C'] });
    expect(said(edited, { ...mark, last_id: 'unknown' })).toMatchObject({ problems: 0 });
    const twice = said(undefined, undefined, [entry(1, 'add', [put('a')]), entry(1, 'add', [put('z')])]);
    expect(twice.problems, 'two entries of one id').toBe(1);
  },
);

verifies(
  'graph.store.merge',
  'two histories come together, more than may are refused, and a piece that is gone is said',
  () => {
    const paths = graphLayout(room());
    const first = entry(1, 'add', [put('a')]);
    const branch = (id: string, patch: readonly object[], seq = 2) => entry(seq, 'edit', patch, { id, prev: 'e1' });
    const two = reconcile(paths, undefined, undefined, [
      first,
      branch('l', [{ id: 'a', set: { title: 'L' } }]),
      branch('r', [put('b')]),
    ]);
    expect([...two.state.nodes()].map(({ id, title }) => `${id}:${title}`).sort()).toEqual(['a:L', 'b:b']);
    expect(two.pending.map(({ op }) => op)).toContain('merge');
    expect(two.problems).toEqual([
      { severity: 'warning', code: 'merged', text: '2 branches were merged', file: paths.log },
    ]);
    const worst = (heads: number) => {
      const branches = Array.from({ length: heads }, (_, at) => branch(`h${at}`, [put(`t${at}`)]));
      return reconcile(paths, undefined, undefined, [first, ...branches]).problems.map(({ text }) => text);
    };
    expect(worst(WORK_LIMITS.mergeHeads)).toEqual([`${WORK_LIMITS.mergeHeads} branches were merged`]);
    expect(worst(WORK_LIMITS.mergeHeads + 1)).toEqual([
      `the log has ${WORK_LIMITS.mergeHeads + 1} separate histories; only the longest is used`,
    ]);
    const base = { ...baseEvent(1, 4), seq: 5, id: 'base', timestamp: first.timestamp } as Entry;
    const gone = reconcile(paths, undefined, onDisk(line('a') + line('b')), [
      base,
      entry(6, 'add', [put('b')], { prev: 'base' }),
    ]);
    expect([...gone.state.nodes()].map(({ id }) => id).sort()).toEqual(['a', 'b']);
    expect(gone.problems).toEqual([
      {
        severity: 'error',
        code: 'corrupt',
        text: 'a log segment is missing or cannot be read; the snapshot was used',
        file: paths.pieces,
      },
    ]);
  },
);

test('a snapshot is told by its size and its time, and is not put there by whoever lost the lock meanwhile', async () => {
  const place = graphPlace();
  await place.add('Alpha');
  const paths = graphLayout(place.folder);
  const loaded = loadStore(paths);
  const mark = loaded.graphMark ?? expect.unreachable();
  let allowed = 1;
  const state = new GraphState();
  state.load([], 7);
  const writer = new SnapshotWriter(paths, { now: () => NOW }, SYSTEM_DISK, {
    mayWrite: () => allowed-- > 0,
    contents: () => ({ graph: LazyGraph.of(state), position: positionOf(loaded) }),
    appending: () => undefined,
  });
  writer.adopt(loaded);
  expect([
    writer.isOwn(mark),
    writer.isOwn({ ...mark, bytes: 1 }),
    writer.isOwn({ ...mark, mtime: '1' }),
    writer.isOwn(undefined),
  ]).toEqual([true, false, false, false]);
  const before = readFileSync(paths.graph, 'utf8');
  await writer.write();
  expect(readFileSync(paths.graph, 'utf8')).toBe(before);
  expect(statSync(paths.graphDraft, { throwIfNoEntry: false })).toBeUndefined();
  utimesSync(paths.graph, 1, 1);
  allowed = 9;
  await writer.write();
  expect(readFileSync(paths.graph, 'utf8'), 'a hand was here').toBe(before);
});

verifies('graph.store.rotate', 'a log that is closed is taken over at once, and no file stays open', async () => {
  const place = graphPlace();
  for (const title of ['Alpha', 'Beta']) await place.add(title);
  const paths = graphLayout(place.folder);
  const picture = loadStore(paths).graph.whole.freeze() as GraphState;
  await place.commit(() => ({ events: [baseEvent(1, 2)], result: undefined }));
  const adopted: number[] = [];
  const store = {
    open: async (from: number) => ({ picture, lastId: 'x', from }),
    adopt: async ({ to }: { to: number }) => void adopted.push(to),
    failed: expect.unreachable,
    logEnd: () => 0,
    mustOwn: () => undefined,
    appending: () => undefined,
  };
  const closer = new LogCloser(paths, store as never, 1_000);
  const rotated = new Promise((resolve, reject) => closer.ask({ resolve, reject }));
  closer.closeIfDue();
  expect(await rotated).toMatchObject({ from: 1, to: 2 });
  expect(adopted).toEqual([2]);
  replaceFile(path.join(paths.folder, 'x'), 'text', { sync: true, draft: path.join(paths.folder, 'y') });
  draftFile(path.join(paths.folder, 'x'), 'text', { sync: false, draft: path.join(paths.folder, 'y') });
  for await (const _ of packPiece(paths, { picture, lastId: 'x', since: 0, from: 3 }));
  for (const _ of cutLog(paths, { picture, lastId: 'x', since: 0, from: 3 })) break;
  expect(openBelow(place.folder)).toEqual([]);
});

test('a task that only the log or only the snapshot has is a difference of the two', async () => {
  const place = graphPlace();
  for (const title of ['Alpha', 'Beta']) await place.add(title);
  const paths = graphLayout(place.folder);
  const differing = async (log: (text: string) => string) => {
    const before = readFileSync(place.log, 'utf8');
    writeFileSync(place.log, log(before));
    const found = (await place.doctor.examine()).find(({ code }) => code === 'log_differs')?.text;
    writeFileSync(place.log, before);
    return found;
  };
  expect(await differing((text) => text.replace('"put":{', '"put":{"x":1,'))).toBe(
    'Replaying the log does not match graph.jsonl for alpha.',
  );
  expect(await differing((text) => text.replaceAll('"alpha"', '"other"'))).toBe(
    'Replaying the log does not match graph.jsonl for alpha, other.',
  );
  expect(await differing((text) => text.replaceAll('"beta"', '"aside"'))).toBe(
    'Replaying the log does not match graph.jsonl for aside, beta.',
  );
  rmSync(paths.base);
  expect(await place.doctor.examine()).toEqual([]);
});
