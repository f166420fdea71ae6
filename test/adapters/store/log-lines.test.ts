import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ChangeSignal } from '#adapters/store/change-signal.js';
import {
  fileIdentity,
  folderIdentity,
  linePieces,
  markOf,
  readText,
  refuseLinks,
  SYSTEM_DISK,
  storeError,
} from '#adapters/store/files/disk.js';
import { LogAppender } from '#adapters/store/files/log-appender.js';
import { bytesFrom, logSize, parseLog, readLog, setTornEndAside, tailBefore } from '#adapters/store/files/log-file.js';
import { followLog } from '#adapters/store/files/log-follower.js';
import { appendedSince, logProblems } from '#adapters/store/files/store-load.js';
import { graphLayout } from '#kernel/graph-folder.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const coded = (code: string, message?: string) => expect.objectContaining({ code, ...(message ? { message } : {}) });
const entry = (seq: number, more: object = {}) => ({
  ...{ seq, id: `e${seq}`, op: 'note', timestamp: '2026-03-01T10:00:00.000Z', patch: [] },
  ...(seq > 1 ? { prev: `e${seq - 1}` } : {}),
  ...more,
});
const line = (seq: number, more: object = {}) => `${JSON.stringify(entry(seq, more))}\n`;

verifies(
  'graph.store.lines',
  'each kind of line: whole, torn, damaged, of a group, of another tool and of a later version',
  () => {
    const read = (...lines: string[]) => {
      const { entries, end, size, bad, later } = parseLog(Buffer.from(lines.join('')), 100);
      return {
        seqs: entries.map(({ seq }) => seq),
        torn: size - end,
        bad: bad.map((one) => [one.offset - 100, one.line, one.reason]),
        later,
      };
    };
    const whole = { seqs: [1, 2], torn: 0, bad: [], later: undefined };
    const [one, two] = [line(1), line(2)];
    expect(read()).toEqual({ ...whole, seqs: [] });
    expect(read(one, two)).toEqual(whole);
    expect(read(one, '\n', '  \n', two)).toEqual(whole);
    expect(read(one, two, '{"seq":3')).toEqual({ ...whole, torn: 8 });
    expect(read(one, 'x\n', two)).toEqual({ ...whole, bad: [[one.length, 2, 'not a JSON object']] });
    expect(
      read(one, '<<<<<<< ours\n', two, '=======\n', '||||||| base\n', '>>>>>>> theirs\n').bad.map(
        ([, , reason]) => reason,
      ),
    ).toEqual(Array(4).fill('a git conflict marker'));
    expect(read(one, '<<<<<< short\n').bad[0]?.[2]).toBe('not a JSON object');
    expect(read('{"op":"add","timestamp":"2026-01-01T00:00:00Z"}\n', one)).toEqual({ ...whole, seqs: [1] });
    expect(read('{"op":"add"}\n').bad).toHaveLength(1);
    const [first, second] = [line(3, { tx: [1, 2] }), line(4, { tx: [2, 2] })];
    expect(read(one, two, first, second)).toEqual({ ...whole, seqs: [1, 2, 3, 4] });
    expect(read(one, two, first), 'a group that is not whole at the end').toEqual({ ...whole, torn: first.length });
    expect(read(one, first, line(5))).toEqual({
      ...{ seqs: [1, 3, 5], torn: 0, later: undefined },
      bad: [[one.length, 2, 'a group of entries that is not whole']],
    });
    expect(read(first, 'x\n', second).seqs).toEqual([3, 4]);
    expect(read(first, 'x\n').torn, 'bad lines inside a group that has begun').toBe(first.length + 2);
    expect(read(second).seqs, 'its beginning is lost').toEqual([4]);
    const later = read(one, line(2, { format: 99 }), 'x\n');
    expect(later.bad.length).toBeGreaterThan(0);
  },
);

verifies('graph.store.append', 'a log is read from a byte on, and its lines are counted from its beginning', () => {
  const file = path.join(room(), 'operations.jsonl');
  expect([logSize(file), bytesFrom(file, 0).length, readLog(file).entries]).toEqual([0, 0, []]);
  const [one, two] = [line(1), line(2)];
  writeFileSync(file, `${one}bad one\n${two}bad two\n`);
  const from = one.length + 'bad one\n'.length;
  expect(readLog(file, from).bad).toEqual([{ offset: from + two.length, line: 4, reason: expect.any(String) }]);
  expect(readLog(file, from).entries.map(({ seq }) => seq)).toEqual([2]);
  expect(readLog(file).bad.map((bad) => bad.line)).toEqual([2, 4]);
  expect(bytesFrom(file, from).toString('utf8')).toBe(`${two}bad two\n`);
  expect(bytesFrom(file, 100_000).length).toBe(0);
  const tail = (end: number, bytes: number) => Buffer.from(tailBefore(file, end, bytes), 'base64').toString('utf8');
  expect([tail(one.length, 5), tail(3, 64), tail(0, 64)]).toEqual([one.slice(-5), one.slice(0, 3), '']);
  const problems = logProblems(file, { ...readLog(file), later: 7 });
  const bad = { severity: 'error', code: 'corrupt', file, text: 'not a JSON object; it is kept and skipped' };
  expect(problems).toEqual([
    { severity: 'error', code: 'newer_format', text: 'written by a later version', file, line: 7 },
    { ...bad, line: 2 },
    { ...bad, line: 4 },
  ]);
});

verifies('graph.store.append', 'whoever appends finds the log as it was, or writes nothing', async () => {
  const file = path.join(room(), 'operations.jsonl');
  const data = Buffer.from(line(1));
  const appender = new LogAppender(SYSTEM_DISK, file);
  const { identity, flushed } = appender.append({ identity: '', size: 0 }, data);
  await flushed;
  expect(identity).toBe(fileIdentity(file));
  expect(readFileSync(file)).toEqual(data);
  const refused = coded('locked', `Another process has just written to ${file}: nothing was changed.`);
  for (const place of [
    { identity, size: 0 },
    { identity: 'another', size: data.length },
    { identity: '', size: 1 },
  ])
    expect(() => appender.append(place, data)).toThrow(refused);
  appender.close();
  const slow = {
    ...SYSTEM_DISK,
    write: (descriptor: number, part: Uint8Array) => SYSTEM_DISK.write(descriptor, part.subarray(0, 7)),
  };
  const slowly = new LogAppender(slow, file);
  await slowly.append({ identity, size: data.length }, Buffer.from(line(2))).flushed;
  slowly.close();
  expect(readFileSync(file, 'utf8')).toBe(line(1) + line(2));
});

verifies('graph.store.torn', 'a torn end is kept aside, unless somebody is writing it', () => {
  const folder = room();
  const file = path.join(folder, 'operations.jsonl');
  writeFileSync(file, `${line(1)}{"half`);
  const [end, size] = [line(1).length, logSize(file)];
  const aside = { folder: path.join(folder, 'lost'), name: 'part' };
  const place = { file, identity: fileIdentity(file), size };
  expect(setTornEndAside(SYSTEM_DISK, { ...place, size: end }, end, aside)).toBeUndefined();
  expect(setTornEndAside(SYSTEM_DISK, { ...place, size: size - 1 }, end, aside)).toBeUndefined();
  expect(setTornEndAside(SYSTEM_DISK, { ...place, identity: 'another' }, end, aside)).toBeUndefined();
  expect([existsSync(aside.folder), logSize(file)]).toEqual([false, size]);
  expect(setTornEndAside(SYSTEM_DISK, place, end, aside)).toBe(path.join(aside.folder, 'part'));
  expect(readFileSync(path.join(aside.folder, 'part'), 'utf8')).toBe('{"half');
  expect([statSync(aside.folder).mode & 0o777, statSync(path.join(aside.folder, 'part')).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
  expect(readFileSync(file, 'utf8')).toBe(line(1));
});

verifies('graph.store.parallel', 'what others appended is taken in only where nothing else happened', () => {
  const paths = graphLayout(room());
  writeFileSync(paths.log, line(1));
  const position = { lastId: 'e1', logEnd: logSize(paths.log), identity: 'own' };
  const since = (text: string, seq = 1) => {
    writeFileSync(paths.log, line(1) + text);
    const found = appendedSince(paths, position, seq);
    return found && [found.log.entries.map((one) => one.seq), found.position];
  };
  const at = (lastId: string, text: string) => ({ identity: 'own', lastId, logEnd: position.logEnd + text.length });
  expect(since('')).toEqual([[], position]);
  expect(since(line(2))).toEqual([[2], at('e2', line(2))]);
  expect(since(line(2) + line(3))).toEqual([[2, 3], at('e3', line(2) + line(3))]);
  expect(since('\n')).toEqual([[], at('e1', '\n')]);
  expect(since(`${line(2)}{"half`), 'still being written').toBeUndefined();
  expect(since(`x\n${line(2)}`)).toBeUndefined();
  expect(since(line(3))).toBeUndefined();
  expect(since(line(2, { prev: 'e0' }))).toBeUndefined();
  expect(since(line(2), 2)).toBeUndefined();
});

test('a follower gets what it has not had, each once and in order, also of a log that another took the place of', async () => {
  const paths = graphLayout(room());
  writeFileSync(paths.log, line(1) + line(2));
  const seen: number[] = [];
  let [looks, over] = [0, false];
  const news = async () => {
    looks++;
    if (looks === 1) appendFileSync(paths.log, `${line(3)}{"half`);
    if (looks === 2) writeFileSync(paths.log, line(1) + line(2) + line(3) + line(4));
    if (looks === 3) writeFileSync(paths.log, line(5, { prev: 'e4' }));
    if (looks === 4) over = true;
  };
  for await (const { seq } of followLog(
    () => paths,
    2,
    async () => undefined,
    news,
    () => over,
  ))
    seen.push(seq);
  expect(seen).toEqual([2, 3, 4, 5]);
  expect(looks).toBe(4);
  over = false;
  for await (const { seq } of followLog(
    () => paths,
    0,
    async () => undefined,
    expect.unreachable,
    () => over,
  )) {
    seen.push(seq);
    over = true;
  }
  expect(seen).toEqual([2, 3, 4, 5, 5]);
});

test('whoever waits for news is woken by news, by the end and by itself', async () => {
  const news = new ChangeSignal();
  const stop = new AbortController();
  const both = Promise.all([news.next(stop.signal), news.next(stop.signal)]);
  news.notify();
  await both;
  const ended = news.next(stop.signal);
  stop.abort();
  await ended;
  await news.next(new AbortController().signal);
});

test('what a disk says, and what is on it', () => {
  const folder = room();
  const of = (code: string) => storeError(Object.assign(new Error(code), { code }), '/a/file');
  expect(of('ENOSPC')).toEqual(coded('disk_full', 'No space to write /a/file: nothing was changed.'));
  expect(of('EROFS')).toEqual(coded('read_only', '/a/file cannot be written: nothing was changed.'));
  expect(of('EIO')).toEqual(coded('disk_failed', 'The disk failed to write /a/file: nothing was changed.'));
  expect(of('EWHAT')).toEqual(expect.objectContaining({ message: 'EWHAT' }));
  expect([
    folderIdentity(path.join(folder, 'no')),
    fileIdentity(path.join(folder, 'no')),
    markOf(path.join(folder, 'no')),
  ]).toEqual(['', '', undefined]);
  const file = path.join(folder, 'file');
  writeFileSync(file, 'text');
  expect(markOf(file)).toEqual({ bytes: 4, mtime: String(statSync(file, { bigint: true }).mtimeNs) });
  expect([readText(file), readText(path.join(folder, 'no')), readText(path.join(file, 'below'))]).toEqual([
    'text',
    undefined,
    undefined,
  ]);
  expect(() => readText(folder)).toThrow(coded('unreadable', `${folder} cannot be read.`));
  if (process.getuid?.() !== 0) {
    chmodSync(file, 0o000);
    expect(() => readText(file)).toThrow(coded('unreadable'));
  }
  const long = `${'x'.repeat(WORK_LIMITS.snapshotPieceBytes)}\n`;
  const pieces = (text: string) => [...linePieces(Buffer.from(text))];
  expect(pieces('')).toEqual([]);
  expect(pieces('a\nb')).toEqual(['a\nb']);
  expect(pieces(`${long}b\n`)).toEqual([long, 'b\n']);
  expect(pieces(`${long}${long}c`)).toEqual([long, long, 'c']);
});

verifies('sec.tree.links', 'a graph is not read or written through a link, wherever it is', () => {
  for (const name of ['', 'service', 'operations.jsonl', 'graph.jsonl', 'log', 'archive.jsonl']) {
    const [folder, outside] = [path.join(room(), '.workgraph'), room()];
    if (name !== '') mkdirSync(folder);
    symlinkSync(outside, path.join(folder, name));
    const place = path.join(folder, name);
    expect(() => refuseLinks(graphLayout(folder)), name).toThrow(
      coded('unsafe_path', `${place.replace(/\/$/, '')} is a link: the graph is not read or written through it.`),
    );
  }
  const folder = room();
  writeFileSync(path.join(folder, 'graph.jsonl'), '');
  refuseLinks(graphLayout(folder));
  expect(readdirSync(folder)).toEqual(['graph.jsonl']);
});
