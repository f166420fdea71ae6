import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { openDatabase } from '#adapters/teams-database/database.js';
import { verifies } from '../verifies.js';
import { asked, environment, project, startService, textOf, troupe } from './program.js';

interface Told {
  readonly doctor: readonly string[];
  readonly problems: readonly { readonly kind: string; readonly text: string; readonly command: string }[];
  readonly status: { readonly text: string; readonly command: string } | null;
}

async function withMessage() {
  const cwd = await project();
  await asked(['add', 'Base', '--id', 'base', '--paused'], { cwd });
  await asked(['team', 'create', 'pair', '--leader', 'Ann'], { cwd });
  await asked(['msg', 'send', 'base', 'kept'], { cwd });
  return { cwd, file: path.join(cwd, '.workgraph/teams.db') };
}

/** What each door says of the store, and nothing of other matters. */
async function toldOf(cwd: string): Promise<Told> {
  const doctor = await troupe(['doctor', '--json'], { cwd });
  const { findings } = JSON.parse(doctor.stdout) as { findings: { code: string; text: string }[] };
  const { problems } = await asked<{ problems: Told['problems'] }>(['problems'], { cwd });
  const { teams_problem: status } = await asked<{ teams_problem: Told['status'] }>(['status'], { cwd });
  const doctorTexts = findings.filter(({ code }) => code === 'teams_store').map(({ text }) => text);
  expect(doctor.code === 0, doctorTexts.join()).toBe(doctorTexts.length === 0);
  return { doctor: doctorTexts, problems: problems.filter(({ kind }) => kind === 'store'), status };
}

const messagesIn = async (cwd: string) =>
  (await asked<{ messages: { text: string }[] }>(['msg', 'list', 'base'], { cwd })).messages.map(({ text }) => text);

function remove(file: string): void {
  for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true });
}

verifies(
  'db.seen',
  'a sound store is no matter; a copy a day lies outside of the work tree, for its owner alone',
  async () => {
    const { cwd, file } = await withMessage();
    expect(await toldOf(cwd)).toEqual({ doctor: [], problems: [], status: null });
    const copies = path.join(environment()['HOME'] ?? '', '.config/troupe/copies');
    const [folder = ''] = readdirSync(copies);
    const day = new Date().toISOString().slice(0, 10);
    expect(readdirSync(path.join(copies, folder))).toEqual([`teams-${day}.db`]);
    expect(statSync(path.join(copies, folder, `teams-${day}.db`)).mode & 0o777).toBe(0o600);
    for (const older of ['2020-01-01', '2020-01-02', '2020-01-03'])
      writeFileSync(path.join(copies, folder, `teams-${older}.db`), '');
    rmSync(path.join(copies, folder, `teams-${day}.db`));
    await asked(['msg', 'send', 'base', 'again'], { cwd });
    expect(readdirSync(path.join(copies, folder))).toEqual(
      ['2020-01-02', '2020-01-03', day].map((name) => `teams-${name}.db`),
    );
    expect(existsSync(file)).toBe(true);
  },
);

verifies(
  'db.seen',
  'a damaged, a removed, a newer and a foreign store are told at every door, and repair brings back the copy',
  async () => {
    const { cwd, file } = await withMessage();
    const repaired = async () => {
      const { status, problems } = await toldOf(cwd);
      expect(problems).toMatchObject([status]);
      expect(status?.command).toBe('troupe doctor --repair');
      const repair = await troupe(['doctor', '--repair'], { cwd });
      expect(repair.stdout).toContain('Restored teams.db from the copy of');
      expect(await toldOf(cwd)).toEqual({ doctor: [], problems: [], status: null });
      expect((await asked<{ teams: unknown[] }>(['team', 'list'], { cwd })).teams).toHaveLength(1);
    };
    remove(file);
    writeFileSync(file, 'no database, and long enough to be looked at as one'.repeat(200));
    expect((await toldOf(cwd)).doctor[0]).toMatch(/^teams\.db is damaged/);
    await repaired();
    expect(readdirSync(path.join(cwd, '.workgraph/service/lost+found')).join()).toMatch(/teams-\d+\.db/);

    remove(file);
    expect((await toldOf(cwd)).doctor[0]).toMatch(/^teams\.db is gone/);
    await repaired();

    remove(file);
    mkdirSync(file);
    expect((await toldOf(cwd)).doctor).toEqual(['teams.db cannot be opened.']);
    await startService(cwd);
    await asked(['service', 'stop'], { cwd });
    expect((await troupe(['service', 'start'], { cwd })).stderr).toContain('teams.db cannot be opened.');
    expect(textOf(path.join(cwd, '.workgraph/service/daemon.log'))).toContain('teams.db cannot be opened.');
    await asked(['service', 'stop'], { cwd });
    rmSync(file, { recursive: true });
    await repaired();

    const database = await openDatabase(file);
    database.script('PRAGMA user_version = 999');
    await database.close();
    expect(await toldOf(cwd)).toMatchObject({
      doctor: ['teams.db was created by a newer version of Troupe.'],
      status: { command: 'troupe doctor' },
    });

    remove(file);
    const foreign = await openDatabase(file);
    foreign.script('CREATE TABLE others (id TEXT)');
    await foreign.close();
    expect((await toldOf(cwd)).doctor[0]).toMatch(/belongs to another program/);
    expect(readFileSync(file).includes('migrations')).toBe(false);
  },
);

verifies('db.seen', 'teams that unfinished tasks name and the store does not have are told', async () => {
  const { cwd, file } = await withMessage();
  await asked(['team', 'task', 'pair', 'Fix it', '--to', 'Ann'], { cwd });
  remove(file);
  rmSync(path.join(environment()['HOME'] ?? '', '.config/troupe/copies'), { recursive: true });
  const { doctor, status } = await toldOf(cwd);
  expect(doctor[0]).toMatch(/nothing of 1 team whose tasks are unfinished, such as fix-it/);
  expect(status?.command).toBe('troupe doctor');
  expect(await messagesIn(cwd)).toEqual([]);
});
