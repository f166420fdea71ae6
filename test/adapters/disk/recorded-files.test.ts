import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parentsOf } from '#adapters/disk/change-record.js';
import { folderTexts } from '#adapters/disk/folder-texts.js';
import { type FilePlaces, recordFiles, undo, writeRecordedFiles } from '#adapters/disk/recorded-files.js';
import { realOrNothing, repositoryAround } from '#adapters/disk/repository-folders.js';
import type { FileChange } from '#kernel/file-change.js';
import { sha256 } from '#kernel/hash.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { write } from '../../repository.js';
import { room } from '../../room.js';

const put = (file: string, text: string): FileChange => ({ kind: 'write', path: file, text });
const noStep = () => undefined;
const record = (places: FilePlaces, changes: readonly FileChange[]) => ({
  ...{ name: 'n', from: null, boot: '' },
  ...recordFiles(places, changes),
});

test('folders above the files of a change: each of them once, the outermost first', () => {
  expect(parentsOf([put('a/b/c/x', ''), put('a/b/y', ''), put('z', ''), put('B/x', '')])).toEqual([
    ...['B', 'a', 'a/b', 'a/b/c'],
  ]);
  expect(parentsOf([put('z', '')])).toEqual([]);
});

test('what a change found is known before it writes: digests, and which folders were not there', () => {
  const places = { base: room('base'), folder: room('folder'), modeOf: () => 0o644 };
  write(places.base, { 'a/old': 'old', file: '' });
  const { files, newFolders } = record(places, [put('a/old', 'old'), put('a/b/c/new', 'new'), put('a/old', 'new')]);
  expect(newFolders).toEqual(['a/b', 'a/b/c']);
  expect(files.map(({ before, after }) => [before, after])).toEqual([
    [sha256('old'), sha256('old')],
    [null, sha256('new')],
    [sha256('old'), sha256('new')],
  ]);
  expect(readdirSync(places.folder)).toEqual(['before-2']);
  expect(record(places, [put('file/b/x', '')]).newFolders).toEqual(['file/b']);
});

test('a change whose record lies on another disk is carried out and taken back all the same', async () => {
  const base = room('base');
  const isOther = (disk: string) => existsSync(disk) && statSync(disk).dev !== statSync(base).dev;
  const folder = mkdtempSync(path.join(['/dev/shm', '/tmp'].find(isOther) ?? base, 'record-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const places = { base, folder, modeOf: () => 0o640 };
  write(base, { 'a/old': 'old', 'a/gone': 'gone' });
  const changes = [put('a/old', 'new'), { kind: 'remove', path: 'a/gone' } as const, put('b/c/x', 'x')];
  const made = record(places, changes);
  await writeRecordedFiles(places, made, noStep);
  expect([readdirSync(base, { recursive: true }).sort(), readFileSync(path.join(base, 'a/old'), 'utf8')]).toEqual([
    ['a', 'a/old', 'b', 'b/c', 'b/c/x'],
    'new',
  ]);
  expect(readdirSync(folder)).toEqual(['before-0', 'before-1']);
  await undo(places, made, noStep);
  expect(readdirSync(base, { recursive: true }).sort()).toEqual(['a', 'a/gone', 'a/old']);
  expect([readFileSync(path.join(base, 'a/old'), 'utf8'), readdirSync(folder)]).toEqual(['old', []]);
});

test('others get their turn after every so many files', async () => {
  const turnsDuring = async (work: () => Promise<void>) => {
    let [turns, isOver] = [0, false];
    const count = () => {
      if (isOver) return;
      turns++;
      setImmediate(count);
    };
    setImmediate(count);
    await work();
    isOver = true;
    return turns;
  };
  const most = TEAM_LIMITS.filesAtOnce;
  const places = { base: room(), folder: room(), modeOf: () => 0o644 };
  const ofTexts = (many: number) =>
    turnsDuring(async () => {
      for await (const _ of folderTexts(places.base, Array(many).fill('gone'), 1));
    });
  expect([await ofTexts(1), await ofTexts(most - 1), await ofTexts(most), await ofTexts(2 * most)]).toEqual([
    ...[0, 0, 1, 2],
  ]);
  const ofChanges = (many: number) =>
    turnsDuring(async () => {
      const same = { change: put('x', ''), before: null, after: null };
      await writeRecordedFiles(
        places,
        { name: 'n', from: null, boot: '', newFolders: [], files: Array(many).fill(same) },
        noStep,
      );
    });
  expect([await ofChanges(1), await ofChanges(most - 1), await ofChanges(most), await ofChanges(2 * most)]).toEqual([
    ...[0, 0, 1, 2],
  ]);
});

test('the repository around a folder is found by its files, also of a worktree; what they name has to be there', () => {
  const top = room('top');
  const at = (name: string) => path.join(top, name);
  mkdirSync(at('main/.git/worktrees/tree'), { recursive: true });
  mkdirSync(at('main/deep/er'), { recursive: true });
  const main = { top: at('main'), own: at('main/.git'), common: at('main/.git') };
  expect([repositoryAround(at('main/deep/er')), repositoryAround(at('main'))]).toEqual([main, main]);
  expect([repositoryAround(top), repositoryAround('/')]).toEqual([undefined, undefined]);
  const own = at('main/.git/worktrees/tree');
  write(top, { 'tree/.git': 'gitdir: ../main/.git/worktrees/tree\n', 'tree/src/a': '' });
  expect(repositoryAround(at('tree/src'))).toEqual({ top: at('tree'), own, common: own });
  writeFileSync(path.join(own, 'commondir'), '../..\n');
  expect(repositoryAround(at('tree/src'))).toEqual({ top: at('tree'), own, common: at('main/.git') });
  writeFileSync(path.join(own, 'commondir'), '../gone\n');
  expect(repositoryAround(at('tree'))).toEqual({ top: at('tree'), own, common: own });
  for (const text of ['gitdir: ../gone\n', 'nothing\n', '']) {
    writeFileSync(at('tree/.git'), text);
    expect(repositoryAround(at('tree/src')), text).toBeUndefined();
  }
  symlinkSync('loop', at('loop'));
  expect([realOrNothing(at('tree/../main')), realOrNothing(at('gone')), realOrNothing(at('tree/.git/x'))]).toEqual([
    ...[at('main'), undefined, undefined],
  ]);
  expect(() => realOrNothing(at('loop'))).toThrow('ELOOP');
});
