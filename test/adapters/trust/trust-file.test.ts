import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { PersonFile } from '#adapters/trust/person-file.js';
import { type FolderHistory, TrustFile } from '#adapters/trust/trust-file.js';
import { systemClock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { room } from '../../room.js';

const TRUSTED = { at: '2026-03-01T10:00:00.000Z', commands: 2, sha256: 'abc' };

function trustOf(folder: string, projectFolder: string): TrustFile {
  return new TrustFile({ folder, projectFolder, processes: new ProcessTable(), clock: systemClock, history: NONE });
}

/** A folder without a repository. */
const NONE: FolderHistory = { first: async () => undefined, contains: async () => false };

test('trust is given to one real path, kept privately, and taken back', async () => {
  const folder = path.join(room('settings'), 'troupe');
  const [one, two] = [room('one'), room('two')];
  expect(await trustOf(folder, one).read()).toBeUndefined();
  expect(await trustOf(folder, one).withdraw()).toBe(false);
  expect(existsSync(folder)).toBe(false);
  await trustOf(folder, one).give(TRUSTED);
  expect(await trustOf(folder, one).read()).toEqual(TRUSTED);
  expect(await trustOf(folder, two).read()).toBeUndefined();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(path.join(folder, 'trusted.json')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['trusted.json']);
  const file = path.join(folder, 'trusted.json');
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/^\{\n {2}"version": 1,/);
  for (const field of ['at', 'commands', 'sha256', 'device', 'inode']) {
    writeFileSync(file, text.replace(`"${field}"`, '"other"'));
    expect(await trustOf(folder, one).read(), field).toBeUndefined();
  }
  writeFileSync(file, text);
  expect(await trustOf(folder, one).withdraw()).toBe(true);
  expect(await trustOf(folder, one).read()).toBeUndefined();
});

test('another way to the same folder is the same project; a link in the place of a trusted one is not', async () => {
  const folder = room('settings');
  const [outer, real, hostile] = [room('outer'), room('real'), room('hostile')];
  const link = path.join(outer, 'link');
  symlinkSync(real, link);
  await trustOf(folder, link).give(TRUSTED);
  expect(await trustOf(folder, real).read()).toEqual(TRUSTED);
  rmSync(link);
  symlinkSync(hostile, link);
  expect(await trustOf(folder, link).read()).toBeUndefined();
});

test('many at once are all remembered, and those that are gone are forgotten', async () => {
  const folder = room('settings');
  const gone = path.join(room('outer'), 'gone');
  mkdirSync(gone);
  await trustOf(folder, gone).give(TRUSTED);
  rmSync(gone, { recursive: true });
  const projects = Array.from({ length: 8 }, (_, number) => room(`project-${number}`));
  await Promise.all(projects.map((project) => trustOf(folder, project).give(TRUSTED)));
  const file = JSON.parse(readFileSync(path.join(folder, 'trusted.json'), 'utf8')) as { projects: object };
  expect(Object.keys(file.projects).sort()).toEqual([...projects].sort());
});

test('a record that cannot be understood trusts nobody, and one that cannot be written says which file', async () => {
  const folder = room('settings');
  const project = room('project');
  const file = path.join(folder, 'trusted.json');
  for (const text of ['', '{', '[]', '{"projects":[]}', JSON.stringify({ projects: { [project]: true } })]) {
    writeFileSync(file, text);
    expect(await trustOf(folder, project).read(), text).toBeUndefined();
  }
  await trustOf(folder, project).give(TRUSTED);
  expect(await trustOf(folder, project).read()).toEqual(TRUSTED);
  const blocked = path.join(room('blocked'), 'file');
  writeFileSync(blocked, '');
  await expect(trustOf(path.join(blocked, 'troupe'), project).give(TRUSTED)).rejects.toThrow();
});

test('trust is in the history that lay there: another folder in its place, or another beginning, has none', async () => {
  const [folder, project] = [room('settings'), room('project')];
  const known = new Set<string>();
  const history: FolderHistory = { first: async () => 'c1', contains: async (commit) => known.has(commit) };
  const trust = new TrustFile({
    folder,
    projectFolder: project,
    processes: new ProcessTable(),
    clock: systemClock,
    history,
  });
  expect(await trust.isOfAnother()).toBe(false);
  await trust.give(TRUSTED);
  expect([await trust.read(), await trust.isOfAnother()]).toEqual([undefined, true]);
  known.add('c1');
  expect([await trust.read(), await trust.isOfAnother()]).toEqual([TRUSTED, false]);
  const file = path.join(folder, 'trusted.json');
  const kept = JSON.parse(readFileSync(file, 'utf8'));
  expect(JSON.stringify(kept)).toContain('"first_commit":"c1"');
  for (const field of ['at', 'commands', 'sha256', 'device', 'inode']) {
    writeFileSync(
      file,
      JSON.stringify(kept, (key, value) => (key === field ? undefined : value)),
    );
    expect(await trust.read(), field).toBeUndefined();
  }
  for (const field of ['device', 'inode']) {
    writeFileSync(
      file,
      JSON.stringify(kept, (key, value) => (key === field ? '0' : value)),
    );
    expect([await trust.read(), await trust.isOfAnother()], field).toEqual([undefined, true]);
  }
});

test('one changes a file at a time, in a folder for nobody else, whatever an earlier life left there', async () => {
  const folder = room('settings');
  chmodSync(folder, 0o755);
  const file = new PersonFile({ folder, processes: new ProcessTable(), clock: systemClock }, 'mine', 'things');
  writeFileSync(path.join(folder, 'mine.json.draft'), 'half');
  const locked: boolean[] = [];
  await file.change((current) => {
    locked.push(existsSync(path.join(folder, 'mine.lock')));
    return { ...current, a: 1 };
  });
  expect([locked, existsSync(path.join(folder, 'mine.lock'))]).toEqual([[true], false]);
  expect([statSync(folder).mode & 0o777, statSync(path.join(folder, 'mine.json')).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
  expect([file.read(), readdirSync(folder)]).toEqual([{ a: 1 }, ['mine.json']]);
  expect(JSON.parse(readFileSync(path.join(folder, 'mine.json'), 'utf8'))).toEqual({ version: 1, things: { a: 1 } });
  const odd = new Error('odd');
  const failing = (error: Error) =>
    file.change(() => {
      throw error;
    });
  await expect(failing(odd)).rejects.toBe(odd);
  const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
  await expect(failing(full)).rejects.toMatchObject({
    ...{ code: 'disk_full', cause: full, hint: new TroupeError('disk_full').hint },
    message: expect.stringMatching(/mine\.json cannot be written: ./),
  });
  expect([file.read(), readdirSync(folder)]).toEqual([{ a: 1 }, ['mine.json']]);
});
