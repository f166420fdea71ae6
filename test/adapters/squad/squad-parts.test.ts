import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { isBefore, keepBefore, putBack } from '#adapters/squad/rollback.js';
import { codeOf, diskError, isMissing, safePath } from '#adapters/squad/safe-path.js';
import { SquadFolder } from '#adapters/squad/squad-folder.js';
import { fingerprint, readSmall, readTexts } from '#adapters/squad/squad-reader.js';
import { exclusively } from '#adapters/squad/write-access.js';
import { OLDER_AGENTS, OLDER_FILES } from '#core/team/layout.js';
import { SIGN_FOLDERS } from '#core/team/outputs.js';
import {
  AGENTS_FOLDER,
  ALUMNI_FOLDER,
  CLAUDE_AGENTS,
  FIXED_FILES,
  GITHUB_AGENTS,
  HISTORY_EVENTS,
  isSquadFile,
  REGISTRY_EVENTS,
  TEAM_MD,
} from '#core/team/squad-paths.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { openBelow } from '../../open-files.js';
import { write } from '../../repository.js';
import { room } from '../../room.js';

const failed = (code: string) => Object.assign(new Error(code), { code });

test('a path of the project is safe when every part of it is a folder or not there, and the last a file or not there', async () => {
  const project = room('squad');
  write(project, { file: '', 'folder/file': '' });
  symlinkSync('folder', path.join(project, 'link'));
  symlinkSync('file', path.join(project, 'folder/link'));
  const said = async (relative: string) =>
    await safePath(project, relative).then(
      (file) => path.relative(project, file),
      ({ code, message, details }: TroupeError) => `${code}: ${message.split(':')[0]} ${JSON.stringify(details)}`,
    );
  for (const fine of ['file', 'folder/file', 'new', 'new/deeper/file', '.squad/x']) expect(await said(fine)).toBe(fine);
  for (const [relative, why] of [
    ...['', '/etc/passwd', '../x', 'a/../b', './x', 'a//b', 'a/', 'a\\b', 'a\0b'].map(
      (name) => [name, 'leaves'] as const,
    ),
    ['link/file', 'link is a link'],
    ['folder/link', 'folder/link is a link'],
    ['folder', 'folder is not a regular file'],
    ['file/x', 'file is not a folder'],
  ] as const)
    expect(await said(relative), relative).toMatch(new RegExp(`^unsafe_path: .*${why}`));
  expect(await said('file/x')).toContain('{"path":"file"}');
  expect(await said('x'.repeat(300))).toMatch(/^unreadable: x+… cannot be accessed\. /);
});

test('what the disk says is told by its code', () => {
  expect(
    [failed('ENOENT'), failed('ENOTDIR'), failed('EIO'), new Error('x'), { code: 'ENOENT' }, undefined].map(isMissing),
  ).toEqual([...[true, true, false, false, false, false]]);
  expect([codeOf(failed('EIO')), codeOf(new Error('x')), codeOf({ code: 'EIO' })]).toEqual([
    'EIO',
    undefined,
    undefined,
  ]);
  const [full, odd] = [failed('ENOSPC'), new Error('odd')];
  expect(diskError(full)).toMatchObject({
    code: 'disk_full',
    cause: full,
    message: new TroupeError('disk_full').message,
  });
  expect(diskError(full, 'No.')).toMatchObject({ code: 'disk_full', message: 'No.' });
  expect(diskError(odd)).toBe(odd);
});

test('one writes at a time; the folder of what runs is made for nobody else, and says that it is no work', async () => {
  const project = room('squad');
  const service = path.join(project, '.workgraph/service');
  const lock = path.join(service, 'squad.lock');
  const held: boolean[] = [];
  const body = async () => {
    held.push(existsSync(lock));
    return 7;
  };
  expect(await exclusively(project, new ProcessTable(), body)).toBe(7);
  expect([held, existsSync(lock)]).toEqual([[true], false]);
  expect([readFileSync(path.join(service, '.gitignore'), 'utf8'), statSync(service).mode & 0o777]).toEqual([
    '*\n',
    0o700,
  ]);
  writeFileSync(path.join(service, '.gitignore'), 'mine');
  const [full, odd] = [failed('ENOSPC'), new Error('odd')];
  const failing = (error: Error) => exclusively(project, new ProcessTable(), () => Promise.reject(error));
  await expect(failing(full)).rejects.toMatchObject({ code: 'disk_full', cause: full });
  await expect(failing(odd)).rejects.toBe(odd);
  expect([existsSync(lock), readFileSync(path.join(service, '.gitignore'), 'utf8')]).toEqual([false, 'mine']);
});

test('what a write changes is kept as it was, and put back, what was not there goes', async () => {
  const project = room('squad');
  const folder = path.join(project, 'write');
  mkdirSync(folder);
  write(project, { 'old/a.md': 'a', 'old/b.md': 'b' });
  linkSync(path.join(project, 'old/b.md'), path.join(project, 'other'));
  const changes = ['old/a.md', 'new/deep/c.md', 'new/d.md', 'old/b.md'].map((name) => ({ path: name })) as never;
  const before = await keepBefore(project, folder, changes);
  expect(before).toEqual({ there: [true, false, false, true], newFolders: ['new', 'new/deep'] });
  expect(isBefore(before, changes)).toBe(true);
  for (const odd of [
    ...[null, 7, {}, { ...before, there: 'x' }, { ...before, there: [true] }, { ...before, there: [1, 2, 3, 4] }],
    ...[{ ...before, newFolders: 'new' }, { ...before, newFolders: ['new', 'elsewhere'] }, { there: before.there }],
  ])
    expect(isBefore(odd, changes), JSON.stringify(odd)).toBe(false);
  const rewrite = () => {
    for (const name of ['old/a.md', 'new/deep/c.md', 'new/d.md', 'old/b.md'])
      write(project, { [`${name}.part`]: 'changed' });
  };
  write(project, { 'new/deep/c.md': 'c', 'new/d.md': 'd', 'new/kept': 'of somebody else' });
  rewrite();
  const steps: string[] = [];
  await putBack(project, folder, changes, before, (name) => void steps.push(name));
  expect(steps).toEqual(['old/b.md', 'new/d.md', 'new/deep/c.md', 'old/a.md'].map((name) => `restore ${name}`));
  expect([
    readFileSync(path.join(project, 'old/a.md'), 'utf8'),
    readFileSync(path.join(project, 'old/b.md'), 'utf8'),
  ]).toEqual([...['a', 'b']]);
  for (const gone of ['new/deep/c.md', 'new/d.md']) expect(existsSync(path.join(project, gone)), gone).toBe(false);
  expect(existsSync(path.join(project, 'new/kept')), 'a folder that is not empty stays').toBe(true);
  await putBack(project, folder, changes, before, () => undefined);
  expect(readFileSync(path.join(project, 'old/a.md'), 'utf8'), 'once more changes nothing').toBe('a');
  const again = path.join(project, 'again');
  mkdirSync(path.join(again, 'before'), { recursive: true });
  symlinkSync('/etc/passwd', path.join(again, 'before/0'));
  const one = [{ path: 'old/a.md' }] as never;
  await expect(putBack(project, again, one, { there: [true], newFolders: [] }, () => undefined)).rejects.toMatchObject({
    code: 'unsafe_path',
  });
  expect(readFileSync(path.join(project, 'old/a.md'), 'utf8')).toBe('a');
});

test('each file of the team is read, and no other; older ones only where there is no team', async () => {
  const project = room('squad');
  const agents = ['charter.md', 'charter.prev.md', 'history.md'].map((name) => `${AGENTS_FOLDER}/neo/${name}`);
  const alumni = ['charter.md', 'charter.1.md', 'charter.123456.md'].map((name) => `${ALUMNI_FOLDER}/trinity/${name}`);
  const clients = [`${CLAUDE_AGENTS}/squad-neo.md`, `${GITHUB_AGENTS}/squad-neo.agent.md`].filter(isSquadFile);
  const older = [...OLDER_FILES, `${OLDER_AGENTS}/neo/charter.md`, `${OLDER_AGENTS}/neo/history.md`];
  const others = [
    ...[`${AGENTS_FOLDER}/neo/notes.md`, `${AGENTS_FOLDER}/.hidden/charter.md`],
    ...[`${ALUMNI_FOLDER}/trinity/charter.x.md`, `${ALUMNI_FOLDER}/trinity/history.md`, `${CLAUDE_AGENTS}/mine.txt`],
    `${OLDER_AGENTS}/neo/notes.md`,
  ];
  const all = [...FIXED_FILES, ...agents, ...alumni, ...clients, ...older];
  write(project, Object.fromEntries([...all, ...others].map((name) => [name, `\ufeff${name}`])));
  const signs = SIGN_FOLDERS.filter((folder) => !all.some((name) => name.startsWith(folder)));
  for (const folder of signs) mkdirSync(path.join(project, folder), { recursive: true });
  const read = async () => await readTexts(project);
  const now = [...FIXED_FILES, ...agents, ...alumni, ...clients, ...SIGN_FOLDERS];
  expect([...(await read()).keys()].sort()).toEqual([...new Set(now)].sort());
  expect((await read()).get(agents[0] ?? '')).toBe(agents[0]);
  const partly = FIXED_FILES.find((name) => !name.startsWith('.squad/')) ?? '';
  expect((await read()).get(partly), 'of a file that is partly ours every byte stays').toBe(`\ufeff${partly}`);
  rmSync(path.join(project, TEAM_MD));
  const before = [...new Set([...now, ...older])].filter((name) => name !== TEAM_MD);
  expect([...(await read()).keys()].sort()).toEqual(before.sort());
  expect(openBelow(project)).toEqual([]);
});

test('a file of the team is read up to its bound, and a write shows in what is known of each', async () => {
  const project = room('squad');
  write(project, { [TEAM_MD]: 'x'.repeat(LIMITS.squadFileBytes) });
  expect((await readSmall(project, TEAM_MD))?.length).toBe(LIMITS.squadFileBytes);
  write(project, { [HISTORY_EVENTS]: 'x'.repeat(LIMITS.squadFileBytes + 1) });
  await expect(readSmall(project, HISTORY_EVENTS)).rejects.toMatchObject({ code: 'too_large' });
  expect(await readSmall(project, REGISTRY_EVENTS)).toBeUndefined();
  const marks = [await fingerprint(project)];
  for (const file of [REGISTRY_EVENTS, HISTORY_EVENTS, TEAM_MD]) {
    write(project, { [file]: `${marks.length}` });
    marks.push(await fingerprint(project));
  }
  expect(new Set(marks).size).toBe(marks.length);
  expect(marks[0]?.split(' ')[0]).toBe('-');
});

test('a team that nobody writes is read without a lock', async () => {
  const project = room('squad');
  write(project, { [TEAM_MD]: 'team' });
  expect((await new SquadFolder(project, new ProcessTable()).texts()).get(TEAM_MD)).toBe('team');
  expect(existsSync(path.join(project, '.workgraph'))).toBe(false);
});
