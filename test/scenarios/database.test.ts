import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { freshProject, postgresAddress } from '../postgres.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { asked, environment, project, startService, textOf, troupe, until } from './program.js';

const address = (await postgresAddress()) ?? '';

/** A project with a past: messages, a team, tasks that ended, an answered request. */
async function lived(): Promise<string> {
  const cwd = await project();
  await asked(['add', 'Größe messen', '--id', 'first'], { cwd });
  await asked(['add', 'Second', '--id', 'second', '--after', 'first'], { cwd });
  await asked(['done', 'first'], { cwd });
  await asked(['msg', 'send', 'second', 'read this first'], { cwd });
  await asked(['team', 'create', 'Core', '--leader', 'Ada'], { cwd });
  return cwd;
}

const config = (cwd: string) => textOf(path.join(cwd, '.workgraph/config.toml'));
const refused = async (args: readonly string[], cwd: string) => {
  const { code, stderr } = await troupe([...args, '--json'], { cwd });
  return [code, (JSON.parse(stderr || '{}') as { error?: { code: string } }).error?.code];
};
/** All that is kept of a project, as text: what a move must not change. */
async function kept(cwd: string) {
  const log = textOf(path.join(cwd, '.workgraph/operations.jsonl'));
  const messages = await asked<object>(['msg', 'list', 'second'], { cwd });
  const teams = await asked<object>(['team', 'list'], { cwd });
  return { log, messages, teams };
}

describe.skipIf(address === '')('with PostgreSQL', () => {
  verifies(
    ['fleet.db', 'fleet.address'],
    'a project moves into a database and back, byte for byte; another clone joins it once its person says so',
    async () => {
      const cwd = await lived();
      const name = freshProject(address);
      const before = await kept(cwd);
      expect(await asked(['database', 'status'], { cwd })).toEqual({ kept: 'files' });
      const moved = await asked<{ to: string }>(['database', 'move', '--to', address, '--project', name], { cwd });
      expect(moved).toMatchObject({
        from: 'the files of .workgraph',
        entries: before.log.trimEnd().split('\n').length,
      });
      expect(existsSync(path.join(cwd, '.workgraph/graph.jsonl'))).toBe(false);
      expect(config(cwd)).toContain(`[database]\nproject = "${name}"\n`);
      expect(config(cwd)).not.toContain('postgres');

      const clone = path.join(room(), 'clone');
      mkdirSync(path.join(clone, '.workgraph'), { recursive: true });
      cpSync(path.join(cwd, '.workgraph/config.toml'), path.join(clone, '.workgraph/config.toml'));
      expect(await refused(['list'], clone), 'the repository alone decides nothing').toEqual([
        1,
        'database_not_chosen',
      ]);
      await asked(['database', 'use', address], { cwd: clone });
      expect(await asked(['msg', 'list', 'second'], { cwd: clone })).toEqual(before.messages);
      await asked(['add', 'From the clone', '--id', 'third'], { cwd: clone });
      expect(await asked(['show', 'third'], { cwd })).toMatchObject({ id: 'third' });
      expect(await asked(['database', 'check'], { cwd })).toMatchObject({ ok: true, findings: [] });

      await asked(['database', 'move', '--to', 'files'], { cwd });
      const after = await kept(cwd);
      expect(after.log.startsWith(before.log), 'the log is the same to the byte').toBe(true);
      expect({ ...after, log: '' }).toEqual({ ...before, log: '' });
      expect(config(cwd)).not.toContain('database');
      expect((await asked<{ ok: boolean }>(['doctor'], { cwd })).ok).toBe(true);
      expect(await refused(['list'], clone), 'nobody reads what nobody keeps up').toEqual([1, 'storage_retired']);
      await asked(['database', 'migrate'], { cwd: clone });
      expect(await refused(['database', 'use', address], clone)).toEqual([1, 'storage_retired']);
      const old = await PostgresDatabase.of(address, name);
      const { rows } = await old.query<{ kept: number }>('SELECT count(*) AS kept FROM messages');
      await old.close();
      expect(rows, 'what was moved away from stays until something else comes').toEqual([{ kept: 1 }]);
      await asked(['database', 'use', '--forget'], { cwd: clone });
      expect(await refused(['add', 'Late'], clone)).toEqual([1, 'database_not_chosen']);
    },
  );

  verifies(['fleet.db', 'fleet.elect'], 'whoever leads is not moved away from, and alone writes', async () => {
    const cwd = await lived();
    const name = freshProject(address);
    await startService(cwd);
    expect(await refused(['database', 'move', '--to', address, '--project', name], cwd)).toEqual([1, 'locked']);
    await asked(['service', 'stop'], { cwd });
    await asked(['database', 'move', '--to', address, '--project', name], { cwd });
    const clone = path.join(room(), 'clone');
    mkdirSync(path.join(clone, '.workgraph'), { recursive: true });
    cpSync(path.join(cwd, '.workgraph/config.toml'), path.join(clone, '.workgraph/config.toml'));
    await asked(['database', 'use', address], { cwd: clone });
    await startService(cwd);
    await asked(['add', 'Build', '--id', 'build', '--exec', 'true'], { cwd });
    const status = async () => (await asked<{ status: string }>(['show', 'build'], { cwd: clone })).status;
    await until('the run to end', async () => (await status()) === 'done');
    const { database } = await asked<{ database: { leader: string; epoch: number } }>(['database', 'status'], {
      cwd: clone,
    });
    expect(database).toMatchObject({ leader: expect.stringMatching(/^process \d+ on /), epoch: 1 });
    await asked(['add', 'Through the leader'], { cwd: clone });
    expect(await refused(['database', 'move', '--to', 'files'], cwd)).toEqual([1, 'locked']);
    await asked(['service', 'stop'], { cwd });
    await asked(['add', 'After the leader'], { cwd: clone });
  });

  verifies(
    ['fleet.db', 'fleet.roles'],
    'what workers have is not moved away from; roles are made, or what makes them is printed',
    async () => {
      const cwd = await lived();
      const name = freshProject(address);
      const words = ['database', 'init', address, '--project', name];
      const { sql } = await asked<{ sql: string }>([...words, '--sql'], { cwd });
      expect(sql).toContain(`CREATE ROLE troupe_${name}_worker NOLOGIN;`);
      expect((await troupe([...words, '--sql'], { cwd })).stdout).toBe(sql);
      const made = await asked<{ steps: string[]; missing_roles: string[] }>(words, { cwd });
      expect([made.steps.includes('0003_workers.sql'), made.missing_roles]).toEqual([true, []]);
      await asked(['database', 'move', '--to', address, '--project', name], { cwd });
      const database = await PostgresDatabase.of(address, name);
      const roles = "SELECT count(*)::int AS made FROM pg_roles WHERE rolname LIKE $1 || '%'";
      expect((await database.query(roles, [`troupe_${name}_`])).rows).toEqual([{ made: 3 }]);
      const taken = `INSERT INTO attempts (run, task, fence, labels, card_json, state) VALUES ('agent-1', 'second', 1, '{}', '{}', $1)`;
      await database.query(taken, ['running']);
      expect(await refused(['database', 'move', '--to', 'files'], cwd)).toEqual([1, 'runs_at_work']);
      await database.query("UPDATE attempts SET state = 'forgotten'");
      await asked(['database', 'move', '--to', 'files'], { cwd });
      await asked(['database', 'move', '--to', address, '--project', name], { cwd });
      expect(
        (await database.query('SELECT FROM attempts')).rowCount,
        'a project that comes finds none of another',
      ).toBe(0);
      expect(await asked(['database', 'migrate'], { cwd })).toMatchObject({ steps: [], missing_roles: [] });
      await database.close();
    },
  );

  verifies(
    'fleet.db',
    'a move that was cut off is finished by asking again, and nothing is put over another project',
    async () => {
      const cwd = await lived();
      const name = freshProject(address);
      const before = await kept(cwd);
      await asked(['database', 'move', '--to', address, '--project', name], { cwd });
      const files = path.join(cwd, '.workgraph/service/lost+found');
      const database = await PostgresDatabase.of(address, name);
      try {
        // Killed after the files were written and the database was told, before the settings were.
        await database.query("UPDATE head SET state = 'retired'");
        expect(await refused(['database', 'move', '--to', 'files'], cwd), 'no files came').toEqual([
          1,
          'storage_retired',
        ]);
        const [folder = ''] = execFileSync('ls', [files], { encoding: 'utf8' }).split('\n');
        cpSync(path.join(files, folder), path.join(cwd, '.workgraph'), { recursive: true });
        await asked(['database', 'move', '--to', 'files'], { cwd });
        expect(await kept(cwd)).toEqual(before);
        // Killed after the database was filled, before the settings were written.
        await database.query("UPDATE head SET state = 'in-use'");
        await asked(['database', 'move', '--to', address, '--project', name], { cwd });
        expect(await asked(['msg', 'list', 'second'], { cwd })).toEqual(before.messages);
        // Killed after the tables were written to files, before the log was.
        cpSync(path.join(files, folder, 'teams.db'), path.join(cwd, '.workgraph/teams.db'));
        await asked(['database', 'move', '--to', 'files'], { cwd });
        expect(await kept(cwd)).toEqual(before);
        await asked(['database', 'move', '--to', address, '--project', name], { cwd });
      } finally {
        await database.close();
      }
      const other = await lived();
      const onto = ['database', 'move', '--to', address, '--project', name];
      expect(await refused(onto, other)).toEqual([1, 'store_not_empty']);
      expect(await refused(['database', 'init', address, '--project', name], other)).toEqual([1, 'store_not_empty']);
      expect((await kept(other)).log).not.toBe('');
    },
  );

  verifies(
    'fleet.address',
    'an address that is none, or leads nowhere, is refused without being repeated',
    async () => {
      const cwd = await lived();
      const before = readFileSync(path.join(cwd, '.workgraph/operations.jsonl'), 'utf8');
      for (const [to, code] of [
        ['http://ann:hush@localhost/x', 'bad_input'],
        ['postgresql://ann:hush@127.0.0.1:1/x', 'database_away'],
        ['postgresql://ann:hush@localhost', 'bad_input'],
      ] as const) {
        const { stdout, stderr } = await troupe(['database', 'move', '--to', to, '--json'], { cwd });
        expect((JSON.parse(stderr) as { error: { code: string } }).error.code, to).toBe(code);
        expect(stdout + stderr).not.toContain('hush');
      }
      expect(readFileSync(path.join(cwd, '.workgraph/operations.jsonl'), 'utf8')).toBe(before);
      writeFileSync(path.join(cwd, '.workgraph/config.toml'), '[database]\nproject = "shop"\n');
      expect(await refused(['list'], cwd)).toEqual([1, 'database_not_chosen']);
      expect(environment()).not.toHaveProperty('TROUPE_DATABASE_URL');
    },
  );
});
