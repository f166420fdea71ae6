import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { answeredLines } from '#adapters/store/files/answered-lines.js';
import { Answers } from '#adapters/store/files/answers.js';
import { archivedTasks, writeArchive } from '#adapters/store/files/archive-file.js';
import { forgetRetired, markBeyond, readRetired } from '#adapters/store/files/beyond-nodes.js';
import { allPieces } from '#adapters/store/files/log-pieces.js';
import { addTask } from '#core/graph/add.js';
import { GraphState } from '#core/graph/state.js';
import { graphLayout } from '#kernel/graph-folder.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { graphPlace } from './graph-place.js';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const answered = (seq: number, id: string, at = NOW, more: object = {}) =>
  `${JSON.stringify({
    ...{ seq, id: `e${seq}`, op: 'note', timestamp: new Date(at).toISOString(), patch: [] },
    ...(seq > 1 ? { prev: `e${seq - 1}` } : {}),
    detail: { request: { id, result: { was: id }, ...more } },
  })}\n`;

verifies(
  'graph.port.shared',
  'what was answered is found again: in memory, in the log, across pieces, and for a day',
  async () => {
    const paths = graphLayout(room());
    const answers = new Answers(paths, { now: () => NOW });
    await answers.prepare();
    expect(answers.of('r-1', true)).toBeUndefined();
    const lines = [answered(4, 'r-1', NOW, { input: 'hash' }), answered(5, 'r-2'), `{"detail":{"request":{"id":"r-9"`];
    writeFileSync(paths.log, lines.join(''));
    expect(answers.of('r-1', false), 'nobody else writes').toBeUndefined();
    expect(answers.of('r-1', true)).toEqual({
      ...{
        input: 'hash',
        commit: { seq: 4, entries: [expect.objectContaining({ id: 'e4' })], result: { was: 'r-1' } },
      },
    });
    expect(answers.of('r-2', true)).toEqual({ input: undefined, commit: expect.objectContaining({ seq: 5 }) });
    expect([answers.of('r-', true), answers.of('r-9', true)]).toEqual([undefined, undefined]);

    mkdirSync(paths.pieces);
    const old = NOW - WORK_LIMITS.answeredMs;
    const piece = answered(1, 'too-old', old - 1) + answered(2, 'old', old) + answered(3, 'r-0');
    writeFileSync(path.join(paths.pieces, 'operations-1-3.jsonl.gz'), gzipSync(piece));
    expect(['r-0', 'old', 'too-old'].map((id) => answers.of(id, true)?.commit.seq)).toEqual([3, 2, undefined]);
    const recalled = new Answers(paths, { now: () => NOW });
    await recalled.recall();
    expect(['r-2', 'r-1', 'r-0', 'old', 'too-old'].map((id) => recalled.of(id, false)?.commit.seq)).toEqual([
      5,
      4,
      3,
      2,
      undefined,
    ]);
    // What began before the day is over is looked at no further.
    writeFileSync(paths.log, answered(4, 'r-1', old - 1) + answered(5, 'r-2'));
    expect(['r-2', 'r-0'].map((id) => answers.of(id, true)?.commit.seq)).toEqual([5, undefined]);
    expect(recalled.of('r-0', false)?.commit.seq, 'it stays in memory').toBe(3);
  },
);

verifies('graph.port.shared', 'who looks for answers unpacks no piece that was closed here', async () => {
  const place = graphPlace();
  const paths = graphLayout(place.folder);
  const clock = { now: () => Date.now() };
  const store = await place.open();
  const answer = (requestId: string) =>
    store.commit((view) => addTask(view, { title: requestId }, { now: Date.now(), actor: 'ann' }), { requestId });
  await answer('r-1');
  await store.rotate();
  await answer('r-2');
  await store.rotate();
  await answer('r-3');
  await store.close();
  const found = async () => {
    const answers = new Answers(paths, clock);
    await answers.prepare();
    return ['r-1', 'r-2', 'r-3', 'r-4'].map((id) => answers.of(id, true)?.commit.seq);
  };
  const all = await found();
  expect(all).toEqual([1, 3, 5, undefined]);
  const pieces = allPieces(paths).map(({ file }) => ({ file, packed: readFileSync(file) }));
  for (const { file } of pieces) writeFileSync(file, 'not packed');
  expect(await found(), 'nothing was unpacked').toEqual(all);
  const recalled = new Answers(paths, clock);
  await recalled.recall();
  expect(['r-1', 'r-2', 'r-3'].map((id) => recalled.of(id, false)?.commit.seq)).toEqual([1, 3, 5]);

  // What was kept of another log, or was cut off, is no answer: the pieces tell.
  const kept = readFileSync(paths.answers, 'utf8');
  for (const text of [kept.replace(/"last_id":"[^"]+"/, '"last_id":"another"'), '{"last_id":', '']) {
    writeFileSync(paths.answers, text);
    await expect(found(), text).rejects.toThrow('cannot be unpacked');
  }
  for (const { file, packed } of pieces) writeFileSync(file, packed);
  expect(await found()).toEqual(all);
});

verifies('graph.port.shared', 'of many answers the latest are kept', () => {
  const answers = new Answers(graphLayout(room()), { now: () => NOW });
  const one = { commit: { seq: 1, entries: [], result: undefined }, input: undefined };
  for (let count = 0; count < WORK_LIMITS.answeredMost; count++) answers.keep(`r-${count}`, one);
  expect(answers.of('r-0', false)).toBe(one);
  answers.keep('another', one);
  expect([answers.of('r-0', false), answers.of('r-1', false), answers.of('another', false)]).toEqual([
    undefined,
    one,
    one,
  ]);
  answers.keep('r-1', one);
  expect(answers.of('r-2', false), 'one kept again takes no place').toBe(one);
  for (let count = 0; count < WORK_LIMITS.answeredMost; count++) answers.keep(`s-${count}`, one);
  expect([answers.of('another', false), answers.of('s-0', false)]).toEqual([undefined, one]);
});

verifies('graph.store.rotate', 'the lines of the latest answers are kept, whatever else the log has', () => {
  const paths = graphLayout(room());
  mkdirSync(paths.folder, { recursive: true });
  const lines = Array.from({ length: 500 }, (_, index) => answered(index + 1, `r-${index + 1}`, NOW + index * 1_000));
  const others = `${JSON.stringify({ seq: 900, id: 'e900', op: 'note', text: '"request":{"id":"no"' })}\n`;
  const log = Buffer.from(lines.join(others));
  const kept = (since: number) => answeredLines(paths, log, since).map((line) => `${line}\n`);
  expect(kept(NOW)).toEqual(lines);
  expect(kept(NOW + 500_000)).toEqual([]);
  const since = kept(NOW + 400_000);
  expect(since, 'of some of them the time is not looked at').toEqual(lines.slice(-since.length));
  expect(since.length).toBeGreaterThanOrEqual(100);
  expect(since.length).toBeLessThan(100 + 64);
  const many = Buffer.from(
    Array.from({ length: WORK_LIMITS.answeredMost + 3 }, (_, at) => answered(at + 1, `r-${at}`)).join(''),
  );
  const latest = answeredLines(paths, many, NOW);
  expect([latest.length, String(latest[0])]).toEqual([WORK_LIMITS.answeredMost, answered(4, 'r-3').trimEnd()]);
});

/** A state in which so many ids are in use no more. */
function retiredState(count: number): GraphState {
  const state = new GraphState();
  const retired = Array.from({ length: count }, (_, index) => ({ id: `t${index}`, seq: 3 }));
  state.load([], 5, { retired: retired as never, retiredSeq: 3, lastRun: 8 });
  return state;
}

verifies('graph.task.id-once', 'few ids stand in the mark, many in a file of their own, which is written once', () => {
  const paths = graphLayout(path.join(room(), '.workgraph'));
  mkdirSync(paths.service, { recursive: true });
  const few = markBeyond(paths, retiredState(WORK_LIMITS.retiredInMark));
  expect(few).toEqual({ retired: expect.any(Array), retired_seq: 3, last_run: 8 });
  expect(few.retired).toHaveLength(WORK_LIMITS.retiredInMark);
  expect(readdirSync(paths.service)).toEqual([]);
  expect(readRetired(paths, { ...few, seq: 5 })).toBe(few.retired);

  const many = retiredState(WORK_LIMITS.retiredInMark + 1);
  const mark = { ...markBeyond(paths, many), seq: 5 };
  expect(mark).toEqual({ retired: [], retired_in: 'retired-3.json', retired_seq: 3, last_run: 8, seq: 5 });
  const file = path.join(paths.service, 'retired-3.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ retired: [...many.retiredIds()] });
  expect(readRetired(paths, mark)).toEqual([...many.retiredIds()]);
  writeFileSync(file, '{"retired":[]}');
  markBeyond(paths, many);
  expect(readFileSync(file, 'utf8')).toBe('{"retired":[]}');
  expect(readRetired(paths, mark)).toEqual([]);
  for (const text of ['{"retired":7}', 'half', undefined]) {
    if (text === undefined) rmSync(file);
    else writeFileSync(file, text);
    expect(readRetired(paths, mark), 'the log says the same').toEqual([]);
  }
  writeFileSync(path.join(paths.folder, 'secret.json'), '{"retired":[{"id":"x","seq":1}]}');
  expect(readRetired(paths, { ...mark, retired_in: '../secret.json' })).toEqual([]);
  for (const name of ['retired-1.json', 'retired-3.json', 'retired-x.json', 'other.json'])
    writeFileSync(path.join(paths.service, name), '');
  forgetRetired(paths, mark);
  expect(readdirSync(paths.service).sort()).toEqual(['other.json', 'retired-3.json', 'retired-x.json']);
});

verifies('graph.archive.move', 'the file of archived tasks follows the log, whatever became of it', async () => {
  const place = graphPlace();
  const paths = graphLayout(place.folder);
  const store = await place.open();
  const put = (id: string) => ({ id, put: { kind: 'task', id, title: id, status: 'done' } });
  const commit = (op: string, patch: readonly object[]) =>
    store.commit(() => ({ events: [{ op, patch: patch as never }], result: undefined }));
  await commit('add', ['c', 'b', 'a', 'gone'].map(put));
  writeArchive(paths, await store.view());
  expect(existsSync(paths.archive)).toBe(false);
  await commit(
    'archive',
    ['c', 'b'].map((id) => ({ id, del: true, to: 'archive', kept: put(id).put })),
  );
  await commit('remove', [{ id: 'gone', del: true }]);
  await commit('archive', [{ id: 'a', del: true, to: 'archive', kept: put('a').put }]);
  const view = await store.view();
  const ids = () => archivedTasks(paths, view).map(({ id }) => id);
  const text = readFileSync(paths.archive, 'utf8');
  expect(ids(), 'who left first stands first').toEqual(['b', 'c', 'a']);
  const [first = '', , third = ''] = text.split('\n');
  for (const there of ['', `${first}\n`, 'broken\n', `${first.replace('"b"', '"x"')}\n`, `${third}\n${first}\n`]) {
    writeFileSync(paths.archive, there);
    expect(ids(), there).toEqual(['b', 'c', 'a']);
    writeArchive(paths, view);
    expect(readFileSync(paths.archive, 'utf8'), there).toBe(text);
  }
  const stale = first.replace('"title":"b"', '"title":"old"').replace(/"rev":\d+/, '"rev":1');
  expect(stale).toContain('"title":"old"');
  writeFileSync(paths.archive, `${stale}\n`);
  expect(
    archivedTasks(paths, view).map(({ title }) => title),
    'of an earlier state',
  ).toEqual(['b', 'c', 'a']);
  rmSync(paths.archive);
  writeArchive(paths, view);
  expect(readFileSync(paths.archive, 'utf8')).toBe(text);
  const before = statSync(paths.archive, { bigint: true });
  writeArchive(paths, view);
  expect(statSync(paths.archive, { bigint: true }).ino, 'it is not written again').toBe(before.ino);
  await store.close();
});
