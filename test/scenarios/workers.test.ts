import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { Leadership } from '#adapters/postgres/leadership.js';
import { PostgresAttemptBoard } from '#adapters/workers/postgres-board.js';
import { ROW_BLOBS } from '#adapters/workers/row-blobs.js';
import { exchangeOver } from '../adapters/worktrees/apart.js';
import { portsOf } from '../adapters/worktrees/place.js';
import { postgresAddress } from '../postgres.js';
import { git } from '../repository.js';
import { sealFor } from '../seal.js';
import { verifies } from '../verifies.js';
import { KEY, WITH_CLIENT } from './client-world.js';
import { asked, project, startAtTerminal, startService, textOf, troupe, until } from './program.js';
import { worker, workersWorld } from './workers-world.js';

const address = (await postgresAddress()) ?? '';
const world = (settings = '') => workersWorld(address, settings);

/** All that any table of a project holds, as text. */
async function everythingIn(database: PostgresDatabase): Promise<string> {
  const { rows: tables } = await database.query<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1',
    [database.schema],
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await database.query<Record<string, unknown>>(`SELECT * FROM ${name}`);
    for (const row of rows)
      for (const value of Object.values(row))
        texts.push(Buffer.isBuffer(value) ? value.toString('utf8') : (JSON.stringify(value) ?? ''));
  }
  return texts.join('\n');
}

/** What a leader posts attempts on. */
async function boardOf(name: string): Promise<PostgresAttemptBoard> {
  const database = await PostgresDatabase.of(address, name);
  const leading = { who: 'the test', seize: true, stopWaiting: () => true, onLost: () => undefined };
  const leadership = await Leadership.take(database, leading);
  const board = new PostgresAttemptBoard({
    database: await PostgresDatabase.of(address, name),
    epoch: leadership.epoch,
    lookMs: 100,
    blobs: async () => ROW_BLOBS,
  });
  onTestFinished(async () => {
    await board.close();
    await leadership.release();
    await database.close();
  });
  return board;
}

describe.skipIf(address === '')('with PostgreSQL', () => {
  verifies('fleet.worker', 'a worker that could not work does not start, and says why', async () => {
    const { clone, env, cwd } = await world();
    const refusal = async (folder: string, ...flags: string[]) => {
      const { code, stderr } = await troupe(['worker', 'start', '--json', ...flags], { cwd: folder, env });
      return [code, (JSON.parse(stderr.trim().split('\n').at(-1) ?? '{}') as { error?: { code: string } }).error?.code];
    };
    const files = await project('in-files');
    expect(await refusal(files)).toEqual([1, 'not_in_database']);
    expect(await refusal(cwd), 'nobody with this home chose a database there').toEqual([1, 'database_not_chosen']);
    expect(await refusal(clone, '--executor', 'codex')).toEqual([1, 'executor_missing']);
    expect(await refusal(clone)).toEqual([1, 'worker_not_agreed']);
    git(clone, 'remote', 'set-url', 'origin', '/nowhere.git');
    expect(await refusal(clone)).toEqual([1, 'remote_unreachable']);
    git(clone, 'remote', 'remove', 'origin');
    expect(await refusal(clone)).toEqual([1, 'bad_config']);
  });

  verifies(
    ['fleet.worker', 'fleet.trust'],
    'a worker says what it means, asks once, and is seen, drained and gone',
    async () => {
      const place = await world();
      const { clone, env, name, remote } = place;
      expect(await asked(['worker', 'list'], { cwd: clone, env })).toMatchObject({
        project: name,
        workers: [],
        leaders: [{ leads: false, here: false }],
      });
      const typed = startAtTerminal('y', 'worker start --name box --executor shell --slots 2', { cwd: clone, env });
      onTestFinished(() => void typed.child.kill('SIGKILL'));
      await until('the worker to arrive', () => /arrived/.test(typed.stdout()));
      expect(typed.stdout()).toContain(
        'whoever has a key that you agree to and can write there as leader runs commands on this machine',
      );
      expect(git(remote, 'for-each-ref', '--format=%(refname)'), 'no probe is left').not.toMatch(/probe/);
      const { workers } = await asked<{ workers: object[] }>(['worker', 'list'], { cwd: clone, env });
      expect(workers).toMatchObject([{ name: 'box', state: 'idle', slots: 2, used: 0, executors: [] }]);
      expect((await troupe(['worker', 'start', '--yes'], { cwd: clone, env })).stderr, 'one in a clone').toContain(
        'worker_exists',
      );
      await asked(['worker', 'drain', 'box'], { cwd: clone, env });
      await until('the worker to be gone', () => /drained/.test(typed.stdout()));
      await typed.finished;
      const agreed = readFileSync(path.join(env['HOME'] ?? '', '.config/troupe/workers.json'), 'utf8');
      expect(agreed).toContain(name);
      expect(agreed).not.toContain('postgresql://');
      const again = worker(place, '--name', 'box');
      await until('it to arrive again', () => again.events().some(({ event }) => event === 'arrived'));
      expect(again.events().map(({ event }) => event)).not.toContain('warned');
      again.child.kill('SIGTERM');
      expect(await again.finished).toMatchObject({ code: 0 });
      expect(git(clone, 'status', '--porcelain'), 'nothing of it is seen by git').toBe('');
      expect((await troupe(['worker', 'stop', 'box'], { cwd: clone, env })).stderr).toContain('There is no worker box');
    },
  );

  verifies(
    ['fleet.worker', 'fleet.code', 'fleet.secret', 'fleet.trust'],
    'an attempt is carried out in another clone, with a home of its own, once its person agreed to the leader; killed and started again, the worker goes on with it',
    async () => {
      const place = await world();
      const { clone, cwd, remote, name } = place;
      const gate = path.join(path.dirname(remote), 'gate');
      const secret = 'orange-window-4711';
      const kept = path.join(path.dirname(remote), 'kept');
      writeFileSync(kept, `${secret}\n`);
      const withSecret = { ...place, env: { ...place.env, SHOP_API_KEY: secret } };
      const first = worker(withSecret, '--name', 'box');
      await until('the worker to arrive', () => first.events().some(({ event }) => event === 'arrived'));
      const board = await boardOf(name);
      const { integration } = portsOf(cwd, { exchange: exchangeOver(cwd, remote) });
      const base = await integration.base();
      const command = `echo begun >> f.txt; echo token=ghp_${'x'.repeat(36)}; until [ -e ${gate} ]; do sleep 0.1; done; cat ${kept}; echo "over $HOME"; cat ${kept} >&2; exit 3`;
      const plan = {
        ...{ id: 'agent-1', taskId: 'build', fence: 1, command, check: '', environment: {}, sandboxed: true },
        ...{ timeoutMs: 60_000, startedAt: Date.now(), tree: { attempt: 1, mode: 'shell' as const } },
      };
      const card = { run: 'agent-1', taskId: 'build', fence: 1, startedAt: plan.startedAt, timeoutMs: plan.timeoutMs };
      const seal = sealFor(name, 'another');
      await board.introduce(seal.card);
      const order = { plan, tree: { task: 'build', attempt: 1, base }, setsUp: false };
      await board.offer({ card, labels: [] }, seal.seal('order', JSON.stringify(order)));
      await board.tellWorkers();
      await until('it to say that it does not know that leader', () =>
        first.events().some(({ event, text }) => event === 'unagreed' && text.includes(seal.card.key)),
      );
      const { workers } = await asked<{ workers: { state: string; used: number }[] }>(['worker', 'list'], {
        cwd: clone,
        env: place.env,
      });
      expect(workers, 'and takes nothing').toMatchObject([{ state: 'unagreed', used: 0 }]);
      await asked(['worker', 'agree', '--yes'], { cwd: clone, env: place.env });
      await until(
        'the run to begin',
        () =>
          existsSync(path.join(clone, '.workgraph/worktrees/build-1/f.txt')) &&
          textOf(path.join(clone, '.workgraph/worktrees/build-1/f.txt')) === 'one\nbegun\n',
      );
      expect(textOf(path.join(clone, 'f.txt')), 'the checkout is untouched').toBe('one\n');
      first.child.kill('SIGKILL');
      await first.finished;
      const second = worker(withSecret, '--name', 'box');
      await until('the worker to be back', () => second.events().some(({ event }) => event === 'arrived'));
      writeFileSync(gate, '');
      const terms = { untakenMs: 600_000, leaseMs: 600_000 };
      const attempt = async () => (await board.look({ since: undefined, runs: [] }, terms)).attempts[0];
      await until('the end to be told', async () => (await attempt())?.state === 'ended');
      expect(await attempt()).toMatchObject({
        ...{ outcome: 'told', worker: 'box' },
        end: { fact: { exit: { code: 3 } }, publication: { outcome: 'published', branch: 'wg/build/1' } },
      });
      expect(git(remote, 'show', 'wg/build/1:f.txt'), 'it ran once').toBe('one\nbegun\n');
      const database = await PostgresDatabase.of(address, name);
      onTestFinished(() => database.close());
      const { rows } = await database.query<{ bytes: Buffer }>(
        "SELECT bytes FROM run_pieces WHERE of = 'output' ORDER BY position",
      );
      const output = Buffer.concat(rows.map(({ bytes }) => bytes)).toString('utf8');
      expect(output).toBe(`token=********\n********\nover ${place.env['HOME']}\n********\n`);
      const all = await everythingIn(database);
      expect(all, 'it was looked at').toContain('wg/build/1');
      expect(all, 'no value of a secret variable crosses the database').not.toContain(secret);
    },
  );

  verifies(
    ['fleet.worker', 'fleet.mail', 'fleet.plan', 'fleet.code', 'fleet.secret'],
    'a client at a worker does a task and reports it; its work is merged where the leader is',
    async () => {
      const place = await world(
        '[coordinator]\nworktree_isolation = "on"\nexecutor = "claude"\n[database]\nremote = "origin"\n',
      );
      const { clone, cwd, remote } = place;
      const box = worker({ ...place, env: { ...place.env, ...WITH_CLIENT } }, '--name', 'box', '--executor', 'claude');
      await until('the worker to arrive', () => box.events().some(({ event }) => event === 'arrived'));
      await asked(['trust'], { cwd });
      await startService(cwd);
      await asked(['add', 'Do it play=commits', '--id', 'build'], { cwd });
      const shown = async () => (await asked<{ task: { status: string } }>(['show', 'build'], { cwd })).task;
      await until('the task to be done', async () => (await shown()).status === 'done');
      expect(git(remote, 'show', 'wg/integration:made.txt'), 'the leader has merged and pushed it').toBe('by build\n');
      expect(git(cwd, 'show', 'wg/integration:made.txt')).toBe('by build\n');
      const [run = ''] = box.events().flatMap(({ event, run: of }) => (event === 'ended' && of ? [of] : []));
      const folder = path.join(clone, '.workgraph/worker/agents', run);
      expect(textOf(path.join(folder, 'said')), 'it was answered by the leader').toContain('"id":"build"');
      expect(textOf(path.join(folder, 'seen-environment'))).toContain(`ANTHROPIC_API_KEY=${KEY}`);
      const database = await PostgresDatabase.of(address, place.name);
      onTestFinished(() => database.close());
      const { rows } = await database.query<{ all: string }>(
        "SELECT string_agg(to_jsonb(attempts)::text, ' ') AS all FROM attempts",
      );
      expect(rows[0]?.all, 'no value of a variable, no token crosses the database').not.toMatch(
        new RegExp(`${KEY}|wgrun_`),
      );
      expect(await everythingIn(database), 'in whichever table').not.toContain(KEY);
      expect(rows[0]?.all, 'and no place').not.toContain(clone);
    },
  );
});
