import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { Answers } from '#adapters/store/files/answers.js';
import { draftFile, replaceByDraft, replaceFile, SYSTEM_DISK } from '#adapters/store/files/disk.js';
import { fileStoreKind } from '#adapters/store/files/file-store-kind.js';
import { piecesBefore } from '#adapters/store/files/log-pieces.js';
import { graphLayout } from '#kernel/graph-folder.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { write } from '../../repository.js';
import { room } from '../../room.js';
import { graphPlace } from './graph-place.js';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const clock = { now: () => NOW };

test('a file that cannot be replaced leaves no draft beside it', () => {
  const folder = room('drafts');
  const [file, draft] = [path.join(folder, 'file'), path.join(folder, 'draft')];
  mkdirSync(path.join(file, 'below'), { recursive: true });
  expect(() => replaceFile(file, 'text', { sync: true, draft })).toThrow('EISDIR');
  expect(readdirSync(folder)).toEqual(['file']);
  expect(() => draftFile(file, 'text', { sync: false, draft: path.join(folder, 'gone/draft') })).toThrow('ENOENT');
  expect(() => draftFile(file, 'text', { sync: false, draft: file })).toThrow(/EISDIR/);
  const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
  const disk = {
    ...SYSTEM_DISK,
    rename: () => {
      throw full;
    },
  };
  draftFile(path.join(folder, 'other'), 'text', { sync: false, draft });
  expect(() => replaceByDraft(disk, path.join(folder, 'other'), draft)).toThrow(
    expect.objectContaining({ code: 'disk_full', cause: full }),
  );
  expect(readdirSync(folder)).toEqual(['file']);
});

test('the pieces before an entry are a chain without gaps; what is no link of it is nobody’s', () => {
  const paths = graphLayout(room('pieces'));
  const names = ['1-5', '6-9', '7-9', '3-5', '9-8', '12-20', '10-11'];
  mkdirSync(paths.pieces, { recursive: true });
  for (const name of names) writeFileSync(path.join(paths.pieces, `operations-${name}.jsonl.gz`), '');
  const before = (first: number) => piecesBefore(paths, first).map(({ from, to }) => `${from}-${to}`);
  expect([before(21), before(12), before(10), before(6), before(9), before(1)]).toEqual([
    ...[['1-5', '6-9', '10-11', '12-20'], ['1-5', '6-9', '10-11'], ['1-5', '6-9'], ['1-5'], [], []],
  ]);
});

test('who was answered lately is known from whole lines alone, and only as long as answers are kept', async () => {
  const paths = graphLayout(room('answers'));
  const answered = (id: string, at: number) =>
    JSON.stringify({
      ...{ seq: 1, id: 'e1', op: 'note', timestamp: new Date(at).toISOString(), patch: [] },
      detail: { request: { id, input: 'x', result: { of: id } } },
    });
  const oldest = NOW - WORK_LIMITS.answeredMs;
  writeFileSync(paths.log, `${answered('late', oldest - 1)}\n${answered('kept', oldest)}\n`);
  appendFileSync(paths.log, answered('torn', NOW));
  const of = async (id: string, lookAgain = true) => {
    const answers = new Answers(paths, clock);
    await answers.prepare();
    return answers.of(id, lookAgain)?.commit.result;
  };
  expect(await Promise.all(['kept', 'late', 'torn', 'nobody'].map((id) => of(id)))).toEqual([
    ...[{ of: 'kept' }, undefined, undefined, undefined],
  ]);
  expect(await of('kept', false), 'nobody else writes').toBeUndefined();
  const answers = new Answers(paths, clock);
  await answers.recall();
  expect([answers.of('kept', false)?.input, answers.of('late', false)]).toEqual(['x', undefined]);
  for (let count = 0; count < WORK_LIMITS.answeredMost; count++)
    answers.keep(`r-${count}`, { commit: { seq: 1, entries: [], result: count }, input: undefined });
  expect([answers.of('kept', false), answers.of('r-0', false)?.commit.result]).toEqual([undefined, 0]);
});

test('a graph of files: who writes alone, who holds it, and what is made where there is none', async () => {
  const folder = path.join(room('kind'), '.workgraph');
  mkdirSync(folder);
  const kind = fileStoreKind({ folder, clock, processes: async () => new ProcessTable() });
  expect(await kind.initialise()).toMatchObject({ folder, created: true });
  expect(await kind.initialise()).toMatchObject({ folder, created: false });
  const { lock } = graphLayout(folder);
  const turn = kind.turn(() => true);
  expect(await turn.exclusively(() => [existsSync(lock), turn.isFree()])).toEqual([true, false]);
  expect([existsSync(lock), turn.isFree(), await kind.holder()]).toEqual([false, true, undefined]);
  const refused = turn.exclusively(() => {
    throw new Error('no');
  });
  await expect(refused).rejects.toThrow('no');
  expect(existsSync(lock)).toBe(false);
  const held = await kind.hold({ onLost: () => undefined } as never);
  expect(await kind.holder()).toMatch(`pid ${process.pid} on `);
  await expect(turn.exclusively(() => true)).rejects.toMatchObject({ code: 'locked' });
  expect(turn.isFree()).toBe(false);
  await held.close();
  const open = await kind.open(() => true);
  expect([(await open.view()).size, await kind.holder()]).toEqual([0, undefined]);
  await open.close();
  expect(await (await kind.doctor()).examine()).toEqual([]);
});

test('what git did to line ends is undone through no link', async () => {
  const place = graphPlace();
  await place.add('Alpha');
  const project = path.dirname(place.folder);
  const outside = path.join(room('outside'), 'attributes');
  write(project, { '.squad/team.md': 'a\r\nb\r\n' });
  symlinkSync(outside, path.join(project, '.gitattributes'));
  await expect(place.doctor.repair()).rejects.toMatchObject({ code: 'unsafe_path' });
  expect([existsSync(outside), readFileSync(path.join(project, '.squad/team.md'), 'utf8')]).toEqual([false, 'a\nb\n']);
});
