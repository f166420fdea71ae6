import path from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { startOwnServer } from '#adapters/postgres/own-server.js';
import { freshProject, postgresAddress } from '../postgres.js';
import { startReplica } from '../postgres-server.js';
import { verifies } from '../verifies.js';
import { cloneOf } from './database-world.js';
import { asked, project, start, startService, troupe, until } from './program.js';

const address = (await postgresAddress()) ?? '';
/** Whoever PostgreSQL runs as gets there; a room is for its owner alone. */
const PARENT = path.dirname(process.env['TROUPE_TEST_ROOM'] ?? '');
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'hot_standby_feedback=on'];

/** Everything that is read of a project: by each of these no row is written. */
const READS: readonly (readonly string[])[] = [
  ['list'],
  ['ready'],
  ['status'],
  ['status', 'work'],
  ['show', 'first'],
  ['why', 'second'],
  ['problems'],
  ['check'],
  ['analyze'],
  ['log', 'first'],
  ['msg', 'list', 'second'],
  ['messages', 'list'],
  ['messages', 'undelivered'],
  ['team', 'list'],
  ['team', 'show', 'core'],
  ['team', 'events', 'core'],
  ['team', 'chat', 'core'],
  ['team', 'artifact', 'list', 'core'],
  ['decision', 'inbox'],
  ['task', 'attempts', 'first'],
  ['trace', 'show', 'first'],
  ['agents'],
  ['worker', 'list'],
  ['machines'],
  ['top', '--once'],
  ['viz'],
  ['archive', 'search', 'first'],
  ['database', 'status'],
  ['database', 'check'],
  ['doctor'],
];

async function lived(): Promise<string> {
  const cwd = await project();
  await asked(['add', 'Measure', '--id', 'first'], { cwd });
  await asked(['add', 'Second', '--id', 'second', '--after', 'first'], { cwd });
  await asked(['msg', 'send', 'second', 'read this first'], { cwd });
  await asked(['team', 'create', 'Core', '--leader', 'Ada'], { cwd });
  return cwd;
}

const CHANGES: readonly (readonly string[])[] = [
  ['add', 'Third'],
  ['done', 'first'],
  ['msg', 'send', 'second', 'more'],
  ['team', 'create', 'Other', '--leader', 'Bob'],
  ['service', 'start'],
  ['service', 'tick'],
  ['database', 'migrate'],
  ['database', 'move', '--to', 'files'],
  ['worker', 'stop', 'box'],
  ['worker', 'start', '--yes'],
];

/** Commands about the database itself say it in their answer. */
async function expectRead(cwd: string, beside: RegExp): Promise<void> {
  for (const words of READS) {
    const { code, stdout, stderr } = await troupe([...words, '--json'], { cwd });
    expect([code, stdout.length > 1], `${words.join(' ')}: ${stderr}`).toEqual([0, true]);
    if (words[0] !== 'database' && words[0] !== 'worker') expect(stderr, words.join(' ')).toMatch(beside);
  }
}

async function refusals(cwd: string): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const words of CHANGES) {
    const { code, stderr } = await troupe([...words, '--json'], { cwd });
    const { error } = JSON.parse(stderr || '{}') as { error?: { code: string; message: string; hint: string } };
    found[words.join(' ')] = `${code} ${error?.code}`;
    if (error?.code === 'database_read_only') expect(error.hint).toContain('troupe database use ADDRESS');
  }
  return found;
}

describe.skipIf(address === '')('a project that is only read', () => {
  verifies('fleet.read', 'through a replica everything is read, with its age, and nothing is changed', async () => {
    const primary = await startOwnServer(PARENT, SETTINGS);
    onTestFinished(() => primary.stop());
    const cwd = await lived();
    await asked(['database', 'move', '--to', primary.address, '--project', 'shop'], { cwd });
    const replica = await startReplica(PARENT, primary, SETTINGS);
    onTestFinished(() => replica.stop());
    const clone = await cloneOf(cwd, replica.address);
    const arrived = (id: string) =>
      until('the replica to follow', async () => (await troupe(['show', id, '--json'], { cwd: clone })).code === 0);
    await asked(['add', 'Later', '--id', 'later'], { cwd });
    await arrived('later');
    await expectRead(clone, /^Read from a replica/);
    const list = await troupe(['list'], { cwd: clone });
    expect(list.stderr).toMatch(
      /^Read from a replica: its newest change is \S.* old, and later ones are missing here\.\n$/,
    );
    const unknown = await troupe(['show', 'newer'], { cwd: clone });
    expect(unknown.stderr, 'it may be there by now').toMatch(/^Read from a replica.*\n.*unknown_task/);
    expect(await asked(['database', 'status'], { cwd: clone })).toMatchObject({
      database: { reading: { by: 'replica', age_seconds: expect.any(Number) } },
    });
    const all = Object.fromEntries(CHANGES.map((words) => [words.join(' '), '1 database_read_only']));
    expect(await refusals(clone)).toEqual(all);

    await startService(cwd);
    expect(await refusals(clone), 'nobody asks the leader').toEqual(all);
    const standing = await troupe(['service', 'status', '--json'], { cwd: clone });
    expect(JSON.parse(standing.stderr)).toMatchObject({
      error: {
        code: 'database_read_only',
        details: { by: 'replica', leader: expect.stringMatching(/^process \d+ on /) },
      },
    });
    const watching = start(['watch', '--json'], { cwd: clone });
    await until('it to watch', async () => watching.stderr() !== '');
    await asked(['add', 'By the leader', '--id', 'led'], { cwd });
    await arrived('led');
    await until('what is new to be seen', async () => watching.stdout().includes('"led"'));
    watching.child.kill('SIGINT');
    expect(await watching.finished).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Read from a replica/) });
    await asked(['service', 'stop'], { cwd });
  });

  verifies('fleet.read', 'a login of the viewers reads everything as it is now, and changes nothing', async () => {
    const cwd = await lived();
    const name = freshProject(address);
    await asked(['database', 'move', '--to', address, '--project', name], { cwd });
    const owner = await PostgresDatabase.of(address, name);
    const eve = `${owner.schema}_eve`;
    await owner.query(`CREATE ROLE ${eve} LOGIN PASSWORD 'known' IN ROLE ${owner.schema}_viewer`);
    onTestFinished(async () => {
      await owner.query(`DROP ROLE ${eve}`);
      await owner.close();
    });
    const url = new URL(address);
    [url.username, url.password] = [eve, 'known'];
    const clone = await cloneOf(cwd, url.href);
    await expectRead(clone, /^$/);
    expect(await asked(['database', 'status'], { cwd: clone })).toMatchObject({
      database: { reading: { by: 'login' } },
    });
    const all = Object.fromEntries(CHANGES.map((words) => [words.join(' '), '1 database_read_only']));
    expect(await refusals(clone)).toEqual(all);
    await startService(cwd);
    await asked(['add', 'By the leader', '--id', 'led'], { cwd });
    expect(await asked(['show', 'led'], { cwd: clone })).toMatchObject({ id: 'led' });
    expect(await refusals(clone)).toEqual(all);
    await asked(['service', 'stop'], { cwd });
  });
});
