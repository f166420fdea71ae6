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
import { ClaudeRoleFolder } from '#adapters/roles/role-folder.js';
import { LANES } from '#core/roles/lane.js';
import { readRoles } from '#core/roles/registry.js';
import { logFile } from '#core/roles/role-paths.js';
import { CREW_WRITER, STARTER_WRITER } from '#core/roles/writers.js';
import { systemClock } from '#kernel/clock.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { minted, put, roleFilesContract, written } from '../../contract/role-files.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

function place() {
  const project = room();
  return { project, files: filesIn(project, path.join(room(), 'roles')) };
}

function filesIn(project: string, personal: string) {
  const outcome = { committed: async () => false, follow: async () => undefined };
  const parts = { processes: new ProcessTable(), clock: systemClock, step: () => undefined, outcome };
  return new ClaudeRoleFolder({ project, personal, holdsGraph: () => false }, parts);
}

roleFilesContract('folder', () => place().files);

const CREW = '.claude/roles/crew.md';

verifies(
  'roles.file.lazy',
  'reading makes no folder, nor does a change that wants nothing; the first real one does',
  async () => {
    const { project, files } = place();
    await files.read();
    await put(files, CREW_WRITER, {});
    await expect(put(files, CREW_WRITER, { '.claude/roles/panel.md': 'x' })).rejects.toMatchObject({
      code: 'not_lane_writer',
    });
    expect(readdirSync(project)).toEqual([]);
    await written(files, CREW_WRITER, (texts) => minted(texts, 'qa'));
    expect(readdirSync(path.join(project, '.claude/roles'))).toEqual(['crew.md']);
    expect(statSync(path.join(project, CREW)).mode & 0o777).toBe(0o666 & ~process.umask());
    writeFileSync(path.join(project, '.claude/roles/panel.md'), '\ufffd');
    writeFileSync(path.join(project, '.claude/roles/research.md'), 'x'.repeat(TEAM_LIMITS.roleFileBytes + 1));
    const { texts, problems } = await files.read();
    expect(texts.get('.claude/roles/panel.md'), 'a character of UTF-8 as any other').toBe('\ufffd');
    expect(problems.map(({ file, text }) => `${file} ${text}`)).toEqual([
      `.claude/roles/research.md has ${TEAM_LIMITS.roleFileBytes + 1} bytes: at most ${TEAM_LIMITS.roleFileBytes} are read.`,
    ]);
    await written(files, CREW_WRITER, (now) => minted(now, 'dev'));
    expect(readFileSync(path.join(project, CREW), 'utf8'), 'what is wrong elsewhere is in nobody’s way').toContain(
      'dev',
    );
    const blocked = place();
    writeFileSync(path.join(blocked.project, '.claude'), '');
    expect(
      (await blocked.files.read()).problems.map(({ file }) => file),
      'told once',
    ).toEqual(['.claude']);
  },
);

verifies(
  'roles.file.conflict',
  'what an editor wrote meanwhile is read again and kept; after three times the write is refused',
  async () => {
    const { project, files } = place();
    const file = path.join(project, CREW);
    await written(files, CREW_WRITER, (texts) => minted(texts, 'qa'));
    let asked = 0;
    const mint = (times: number) =>
      written(files, CREW_WRITER, (texts) => {
        asked += 1;
        if (asked <= times) writeFileSync(file, `${readFileSync(file, 'utf8')}\n<!-- edit ${asked} -->\n`);
        return minted(texts, 'dev');
      });
    await mint(2);
    expect(asked).toBe(3);
    expect(readFileSync(file, 'utf8')).toMatch(/### qa[\s\S]*edit 1[\s\S]*edit 2[\s\S]*### dev/);
    asked = 0;
    const before = () => readFileSync(file, 'utf8');
    await expect(
      written(files, CREW_WRITER, (texts) => {
        asked += 1;
        writeFileSync(file, `${before()}<!-- again ${asked} -->\n`);
        return minted(texts, 'ops');
      }),
    ).rejects.toMatchObject({ code: 'roles_conflict' });
    expect(asked).toBe(TEAM_LIMITS.roleWriteTries);
    expect(before()).not.toContain('### ops');
    expect(before()).toContain('again 3');
    expect(readdirSync(path.dirname(file))).toEqual(['crew.md']);
  },
);

verifies(
  'roles.file.conflict',
  'no link is followed: not of a file, not of a folder, neither to read nor to write',
  async () => {
    const outside = room();
    writeFileSync(path.join(outside, 'crew.md'), '### qa\n- status: stable\n');
    const file = place();
    mkdirSync(path.join(file.project, '.claude/roles'), { recursive: true });
    symlinkSync(path.join(outside, 'crew.md'), path.join(file.project, CREW));
    const folder = place();
    mkdirSync(path.join(folder.project, '.claude'));
    symlinkSync(outside, path.join(folder.project, '.claude/roles'));
    const dangling = place();
    mkdirSync(path.join(dangling.project, '.claude/roles'), { recursive: true });
    symlinkSync(path.join(outside, 'new.md'), path.join(dangling.project, '.claude/roles/builder.md'));
    for (const [{ files }, place, text] of [
      [file, CREW, 'is a link or not a regular file: it is left alone.'],
      [folder, '.claude/roles', 'is a link or not a folder: nothing below it is read.'],
    ] as const) {
      expect(await files.read()).toEqual({
        ...{ texts: new Map(), problems: [{ file: place, line: 1, severity: 'error', text }] },
      });
      await expect(put(files, CREW_WRITER, { [CREW]: 'x' })).rejects.toMatchObject({ code: 'unsafe_path' });
    }
    await expect(put(dangling.files, STARTER_WRITER, { '.claude/roles/builder.md': 'x' })).rejects.toMatchObject({
      code: 'unsafe_path',
    });
    const late = place();
    await written(late.files, CREW_WRITER, (texts) => minted(texts, 'qa'));
    const planted = written(late.files, CREW_WRITER, (texts) => {
      rmSync(path.join(late.project, CREW));
      symlinkSync(path.join(outside, 'new.md'), path.join(late.project, CREW));
      return minted(texts, 'dev');
    });
    await expect(planted, 'it was put there after the look').rejects.toMatchObject({ code: 'unsafe_path' });
    expect(existsSync(path.join(outside, 'new.md'))).toBe(false);
    expect(readFileSync(path.join(outside, 'crew.md'), 'utf8')).toBe('### qa\n- status: stable\n');
  },
);

verifies(
  'roles.file.bad-row',
  'a file that is no text, too large or a folder is named and left alone, and hides no other',
  async () => {
    const { project, files } = place();
    const folder = path.join(project, '.claude/roles');
    mkdirSync(path.join(folder, 'panel.md'), { recursive: true });
    const bytes = Buffer.from([0x23, 0x20, 0xff, 0xfe, 0x0a]);
    writeFileSync(path.join(folder, 'crew.md'), bytes);
    writeFileSync(path.join(folder, 'research.md'), Buffer.alloc(TEAM_LIMITS.roleFileBytes + 1, 'x'));
    writeFileSync(path.join(folder, 'skeptic.md'), '# skeptic\n## Charter\nDoubts \uFFFD.\n');
    const { texts, problems } = await files.read();
    expect([...readRoles(texts, problems).cores.keys()]).toEqual(['skeptic']);
    expect(problems.map(({ file }) => path.basename(file))).toEqual(['crew.md', 'panel.md', 'research.md']);
    await expect(written(files, CREW_WRITER, (now) => minted(now, 'qa'))).rejects.toMatchObject({
      code: 'unsafe_path',
    });
    expect(readFileSync(path.join(folder, 'crew.md')).equals(bytes)).toBe(true);
  },
);

test('of very many files the first by name are read, and the logs of the lanes beside them', async () => {
  const { project, files } = place();
  const folder = path.join(project, '.claude/roles');
  mkdirSync(folder, { recursive: true });
  const names = Array.from({ length: TEAM_LIMITS.roleFiles + 1 }, (_, at) => `r${String(at).padStart(4, '0')}.md`);
  for (const name of [...names].reverse()) writeFileSync(path.join(folder, name), name);
  writeFileSync(path.join(folder, 'notes.txt'), '');
  const [lane = 'crew'] = LANES;
  const log = path.join(project, logFile(lane));
  mkdirSync(path.dirname(log), { recursive: true });
  writeFileSync(log, 'log');
  const { texts, problems } = await files.read();
  expect([...texts]).toEqual([
    ...names.slice(0, -1).map((name) => [`.claude/roles/${name}`, name]),
    [logFile(lane), 'log'],
  ]);
  expect(problems).toEqual([
    {
      ...{ file: '.claude/roles', line: 1, severity: 'error' },
      text: `holds ${TEAM_LIMITS.roleFiles + 1} files: the first ${TEAM_LIMITS.roleFiles} are read.`,
    },
  ]);
  writeFileSync(path.join(folder, names[0] ?? ''), 'kept');
  rmSync(path.join(folder, names.at(-1) ?? ''));
  expect((await files.read()).problems).toEqual([]);
});

test('a file keeps its mode, and one that is to be as it is, is not written', async () => {
  const { project, files } = place();
  await written(files, CREW_WRITER, (texts) => minted(texts, 'qa'));
  const file = path.join(project, CREW);
  chmodSync(file, 0o640);
  const { ino } = statSync(file);
  await written(files, CREW_WRITER, (texts) => texts);
  expect(statSync(file).ino).toBe(ino);
  await written(files, CREW_WRITER, (texts) => minted(texts, 'dev'));
  expect([statSync(file).mode & 0o777, statSync(file).ino === ino]).toEqual([0o640, false]);
});

test('who does not wait is told that somebody else writes', async () => {
  const [project, personal] = [room(), path.join(room(), 'roles')];
  const files = filesIn(project, personal);
  mkdirSync(personal);
  const held = new ProcessTable().lock(path.join(personal, 'roles.lock'), systemClock);
  await held.acquire();
  const mint = () =>
    files.changeUnlessBusy(CREW_WRITER, async ({ texts }, write) => {
      await write({ texts: minted(texts, 'qa'), proposals: new Map() }, undefined, async () => true);
    });
  await expect(mint()).rejects.toMatchObject({ code: 'locked' });
  expect(readdirSync(project)).toEqual([]);
  held.release();
  await mint();
  expect(readdirSync(project)).toEqual(['.claude']);
});
