import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  allPieces,
  baseEvent,
  piecesBefore,
  readAcross,
  readBase,
  readPiece,
  seqUntil,
  stateOfLog,
  unpacked,
} from '#adapters/store/files/log-pieces.js';
import { cutLog, firstSeq, packPiece } from '#adapters/store/files/rotation.js';
import { loadStore } from '#adapters/store/files/store-load.js';
import { addTask } from '#core/graph/add.js';
import type { Entry } from '#core/graph/event.js';
import { graphLayout } from '#kernel/graph-folder.js';
import { collect } from '../../contract/graph-store.js';
import { verifies } from '../../verifies.js';
import { graphPlace } from './graph-place.js';

/** A log of four entries, the last but one of which begins the next log. */
async function toBeClosed() {
  const place = graphPlace();
  await place.add('Alpha');
  await place.add('Beta');
  const picture = loadStore(graphLayout(place.folder)).graph.whole;
  await place.commit(() => ({ events: [baseEvent(1, 2)], result: undefined }));
  await place.add('Gamma');
  const paths = graphLayout(place.folder);
  return { ...place, paths, closing: { picture, lastId: 'entry-2', since: 0, from: 1 } };
}

async function pack(
  paths: ReturnType<typeof graphLayout>,
  closing: Parameters<typeof packPiece>[1],
): Promise<string[]> {
  const steps: string[] = [];
  for await (const step of packPiece(paths, closing)) steps.push(step);
  return steps;
}

verifies('graph.store.rotate', 'what is packed away: the entries as they stood, and the graph after them', async () => {
  const { paths, closing, lines } = await toBeClosed();
  const before = lines();
  expect(firstSeq(paths.log)).toBe(1);
  const firstOf = (text: string) => {
    const other = path.join(path.dirname(paths.folder), 'other.jsonl');
    writeFileSync(other, text);
    return firstSeq(other);
  };
  expect(firstOf(`junk\n\n${before[2]}\nhalf`)).toBe(3);
  expect(firstOf(`${`${'junk'.repeat(1_000)}\n`.repeat(1_000)}${before[2]}\n`)).toBe(3);
  expect(firstOf('half')).toBeUndefined();
  expect(await pack(paths, closing)).toEqual([
    'folder made',
    'entries packed',
    'graph packed',
    'folder synced',
    'answers kept',
  ]);
  expect(lines(), 'the log is not touched').toEqual(before);
  expect(readdirSync(paths.pieces).sort()).toEqual(['base-2.jsonl.gz', 'operations-1-2.jsonl.gz']);
  const packed = (name: string) => gunzipSync(readFileSync(path.join(paths.pieces, name))).toString('utf8');
  expect(packed('operations-1-2.jsonl.gz')).toBe(`${before[0]}\n${before[1]}\n`);
  const [head = '', ...nodes] = packed('base-2.jsonl.gz').trimEnd().split('\n');
  expect(JSON.parse(head)).toEqual({ kind: 'base', seq: 2, last_id: 'entry-2', last_run: 0, retired: [] });
  expect(nodes.map((line) => JSON.parse(line).id)).toEqual(['alpha', 'beta']);

  writeFileSync(path.join(paths.pieces, 'operations-1-1.jsonl.gz'), 'left behind');
  writeFileSync(path.join(paths.pieces, 'base-1.jsonl.gz'), 'left behind');
  const cut = cutLog(paths, closing);
  const steps: unknown[] = [];
  let step = cut.next();
  for (; !step.done; step = cut.next()) steps.push(step.value);
  expect(steps).toEqual(['new log drafted', 'log replaced', 'log synced', 'leftover removed']);
  const [whole, rest] = [before, before.slice(2)].map((text) => Buffer.byteLength(`${text.join('\n')}\n`));
  const files = ['log/base-2.jsonl.gz', 'log/operations-1-2.jsonl.gz'];
  expect(step.value).toEqual({ from: 1, to: 2, before: whole, after: rest, files });
  expect(lines()).toEqual(before.slice(2));
  expect(readdirSync(paths.pieces).sort()).toEqual(['base-2.jsonl.gz', 'operations-1-2.jsonl.gz']);
  expect(existsSync(paths.logDraft)).toBe(false);
});

verifies('graph.store.rotate', 'a log that cannot be cut stays as it is, and says why', async () => {
  const { paths, closing, lines } = await toBeClosed();
  const before = lines();
  mkdirSync(paths.logDraft);
  expect(() => [...cutLog(paths, closing)]).toThrow();
  expect(lines()).toEqual(before);
  writeFileSync(paths.pieces, 'no folder');
  await expect(pack(paths, closing)).rejects.toThrow();
});

/** An entry of a made-up log. */
const entry = (seq: number, id = `e${seq}`, minute = seq): Entry => ({
  ...{ seq, id, op: 'note', patch: [], timestamp: `2026-03-01T10:${String(minute).padStart(2, '0')}:00.000Z` },
  ...(seq > 1 ? { prev: `e${seq - 1}` } : {}),
});
const packedLines = (...seqs: number[]) => gzipSync(seqs.map((seq) => `${JSON.stringify(entry(seq))}\n`).join(''));

verifies('graph.store.rotate', 'the chain of pieces, the graph behind each, and what can be none of them', async () => {
  const place = graphPlace();
  const paths = graphLayout(place.folder);
  expect(allPieces(paths)).toEqual([]);
  mkdirSync(paths.pieces);
  const put = (name: string, data: Buffer | string) => writeFileSync(path.join(paths.pieces, name), data);
  for (const [from, to] of [
    [1, 3],
    [4, 6],
    [5, 6],
    [7, 9],
    [6, 4],
  ] as const)
    put(
      `operations-${from}-${to}.jsonl.gz`,
      packedLines(...Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)),
    );
  put('operations-1-x.jsonl.gz', '');
  put('operations-1-2.jsonl', '');
  mkdirSync(path.join(paths.pieces, 'operations-8-9.jsonl.gz'));
  symlinkSync('operations-1-3.jsonl.gz', path.join(paths.pieces, 'operations-9-9.jsonl.gz'));
  const spans = (pieces: readonly { from: number; to: number }[]) => pieces.map(({ from, to }) => [from, to]);
  expect(spans(allPieces(paths)).sort()).toEqual([
    [1, 3],
    [4, 6],
    [5, 6],
    [6, 4],
    [7, 9],
  ]);
  expect(spans(piecesBefore(paths, 10))).toEqual([
    [1, 3],
    [4, 6],
    [7, 9],
  ]);
  expect(spans(piecesBefore(paths, 7))).toEqual([
    [1, 3],
    [4, 6],
  ]);
  expect(spans(piecesBefore(paths, 6)), 'nothing ends before it').toEqual([]);
  expect(readPiece(piecesBefore(paths, 4)[0] ?? expect.unreachable()).map(({ seq }) => seq)).toEqual([1, 2, 3]);

  writeFileSync(paths.log, [entry(10), entry(11)].map((one) => `${JSON.stringify(one)}\n`).join(''));
  const across = (from: number, to: number) =>
    [...readAcross(paths, from, to)].map((part) => part.map(({ seq }) => seq));
  expect(across(1, 99)).toEqual([
    [1, 2, 3],
    [4, 5, 6],
    [7, 8, 9],
    [10, 11],
  ]);
  expect(across(3, 4)).toEqual([[3], [4], []]);
  expect(across(9, 10)).toEqual([[9], [10]]);
  expect(across(10, 10)).toEqual([[10]]);
  const until = (time: string) => seqUntil(paths, Date.parse(`2026-03-01T${time}Z`));
  expect(['10:11:00', '10:10:59', '10:09:59', '10:04:00', '10:00:59'].map(until)).toEqual([11, 10, 9, 4, 0]);
});

verifies('graph.store.rotate', 'a graph that was packed is read only where it says it is the one', async () => {
  const { paths, closing, folder } = await toBeClosed();
  await pack(paths, closing);
  const ids = (seq: number) => {
    const state = readBase(paths, seq);
    return state && [state.seq, [...state.nodes()].map(({ id }) => id).sort()];
  };
  expect(ids(2)).toEqual([2, ['alpha', 'beta']]);
  expect(ids(3)).toBeUndefined();
  const put = (seq: number, text: string | Buffer) =>
    writeFileSync(path.join(paths.pieces, `base-${seq}.jsonl.gz`), typeof text === 'string' ? gzipSync(text) : text);
  put(3, '{"kind":"base","seq":2,"retired":[]}\n');
  put(4, '{"kind":"bass","seq":4,"retired":[]}\n');
  put(5, Buffer.from('not packed'));
  put(6, 'no head at all');
  put(7, '{"kind":"base","seq":7,"retired":[]}\n');
  mkdirSync(path.join(paths.pieces, 'base-8.jsonl.gz'));
  expect([3, 4, 5, 6, 8].map(ids)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  expect(ids(7)).toEqual([7, []]);
  const file = path.join(folder, 'log', 'base-5.jsonl.gz');
  expect(() => unpacked(file)).toThrow(
    expect.objectContaining({
      ...{ code: 'corrupt', message: 'The log segment base-5.jsonl.gz cannot be unpacked.' },
      hint: 'Restore log/base-5.jsonl.gz from version control or a backup.',
    }),
  );
});

test('the state of a log up to an entry: from the nearest packed graph, else from the entries', async () => {
  const place = graphPlace();
  const store = await place.open();
  const add = (title: string) => store.commit((view) => addTask(view, { title }, { now: 0 }));
  for (const title of ['One', 'Two']) await add(title);
  await store.rotate();
  await add('Three');
  await store.rotate();
  await add('Four');
  await store.close();
  const paths = graphLayout(place.folder);
  const entries = (await collect(store.entries(1))).filter(({ seq }) => seq >= 5);
  const ids = (to?: number) => {
    const state = stateOfLog(paths, entries, to);
    return state && [...state.nodes()].map(({ id }) => id).sort();
  };
  const looks = () => [1, 2, 3, 4, 5, 6].map((to) => ids(to));
  const told = [
    ['one'],
    ['one', 'two'],
    ['one', 'two'],
    ['one', 'three', 'two'],
    ['one', 'three', 'two'],
    ['four', 'one', 'three', 'two'],
  ];
  expect(looks()).toEqual(told);
  expect(ids()).toEqual(told[5]);
  writeFileSync(path.join(paths.pieces, 'base-4.jsonl.gz'), 'gone');
  expect(looks()).toEqual(told);
  writeFileSync(path.join(paths.pieces, 'base-2.jsonl.gz'), 'gone');
  expect(looks()).toEqual(told);
  expect(stateOfLog(paths, [])?.size).toBe(0);
});
