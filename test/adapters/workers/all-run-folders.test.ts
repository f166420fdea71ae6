import { describe, expect } from 'vitest';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { Leadership } from '#adapters/postgres/leadership.js';
import { AllRunFolders } from '#adapters/workers/all-run-folders.js';
import { HandedOutRuns, USUAL_ATTEMPT_TERMS } from '#adapters/workers/handed-out-runs.js';
import { PostgresAttemptBoard } from '#adapters/workers/postgres-board.js';
import { PostgresWorkerGateway } from '#adapters/workers/postgres-worker-gateway.js';
import { ROW_BLOBS } from '#adapters/workers/row-blobs.js';
import { S3Blobs } from '#adapters/workers/s3-blobs.js';
import { askWorker, standingOfWorkers } from '#adapters/workers/standing.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import type { Blobs } from '#ports/blobs.js';
import type { AttemptEnd } from '#ports/worker-gateway.js';
import { NO_RUNS } from '../../no-runs.js';
import { freshDatabase, postgresAddress } from '../../postgres.js';
import { S3Server } from '../../s3-server.js';
import { sealFor } from '../../seal.js';
import { verifies } from '../../verifies.js';

const address = await postgresAddress();
const SEAL = sealFor('shop');
const CARD = {
  name: 'box',
  at: 'process 1 on a box',
  version: '1.0.0',
  slots: 9,
  labels: [],
  executors: [],
  leaders: [SEAL.card.key],
};
const LEADING = { who: 'leader', seize: true, stopWaiting: () => true, onLost: () => undefined };

describe.skipIf(address === undefined)('what runs of workers left', () => {
  const server = address ?? '';

  /** A leader with three runs at one worker, and whoever reads of them. */
  async function stage(blobs: Blobs = ROW_BLOBS) {
    const database = await freshDatabase(server);
    const another = () => PostgresDatabase.of(server, database.schema.slice('troupe_'.length));
    const { epoch } = await Leadership.take(database, LEADING);
    const runs = new HandedOutRuns({
      board: new PostgresAttemptBoard({ database: await another(), epoch, lookMs: 100, blobs: async () => blobs }),
      clock: database.clock,
      trees: async () => ({ placeOf: async () => ({ path: '/wg', folder: '/wg/in', branch: 'wg/build/1' }) }),
      terms: USUAL_ATTEMPT_TERMS,
      seal: SEAL,
    });
    for (const number of [1, 2, 3]) {
      const [id, taskId] = [`agent-${number}`, `task-${number}`];
      runs.assignRun(id, { tree: { task: taskId, attempt: 1, base: 'abc' }, setsUp: false, labels: [] });
      const own = { command: 'make', check: '', environment: {}, timeoutMs: 1_000, startedAt: 1_000, sandboxed: true };
      await runs.start({ id, taskId, fence: 1, ...own });
    }
    const desk = new PostgresWorkerGateway({ database: await another(), key: 'key-of-box', lookMs: 100, blobs });
    await desk.registerWorker(CARD);
    await desk.take(2, []);
    const here = {
      ...NO_RUNS,
      identity: async (id: string) => (id === 'agent-9' ? { taskId: 'x', fence: 1, mail: 'none' as const } : undefined),
    };
    const folders = new AllRunFolders({ ...here, state: async () => 'ended' as const }, database, async () => blobs);
    const close = async () => {
      await runs.close();
      await desk.unregisterWorker();
    };
    return { database, desk, folders, close };
  }
  const endOf = (id: string): AttemptEnd => {
    const own = { id, taskId: 'task-1', fence: 1, startedAt: 1_000, timeoutMs: 1_000 };
    const fact = { ...own, alive: false, started: true, outputBytes: 12, exit: { code: 0 } };
    const listed = {
      id,
      task_id: 'task-1',
      executor: 'shell',
      status: 'done' as const,
      started_at: '2026-01-01T00:00:00Z',
    };
    return { fact, listed, publication: undefined, unpublished: undefined };
  };

  verifies('fleet.outside', 'what they printed and how they ended is read on any machine', async () => {
    const { database, desk, folders, close } = await stage();
    const text = `one ghp_${'a'.repeat(36)}\ntwo\nthr`;
    await desk.append('agent-1', 1, { of: 'output', from: 0, bytes: Buffer.from(text.slice(0, 10)) });
    await desk.append('agent-1', 1, { of: 'output', from: 10, bytes: Buffer.from(text.slice(10)) });
    await desk.append('agent-1', 1, { of: 'prompt', from: 0, bytes: Buffer.from('do it well') });
    const size = text.length;
    expect(await folders.part('agent-1', 'output', { most: 8 })).toEqual({ text: '\ntwo\nthr', next: size, size });
    expect(await folders.part('agent-1', 'output', { most: 0 })).toEqual({ text: '', next: size, size });
    const lines = await folders.part('agent-1', 'output', { from: 0, most: 1_000 });
    expect(lines).toMatchObject({ text: expect.stringMatching(/^one .*\ntwo\n$/), next: size - 3, size });
    expect(lines?.text).not.toContain('aaaa');
    expect(await folders.part('agent-1', 'output', { from: size - 7, most: 5 })).toMatchObject({ text: 'two\n' });
    expect(await folders.part('agent-1', 'output', { from: size + 1, most: 3 })).toMatchObject({
      text: 'one',
      next: 3,
    });
    expect(await folders.part('agent-1', 'events', { most: 10 })).toBeUndefined();
    expect(await folders.prompt('agent-1', 5)).toBe('do it');
    expect(await folders.prompt('agent-2', 5)).toBeUndefined();
    expect(await folders.identity('agent-1')).toEqual({
      ...{ taskId: 'task-1', fence: 1, mail: 'none', tree: { branch: 'wg/build/1', folder: '/wg/in' } },
    });
    expect(await folders.identity('agent-8')).toBeUndefined();

    await expect(desk.ask('agent-1', 2, '{}'), 'another attempt').rejects.toMatchObject({ code: 'stale_attempt' });
    await database.query('UPDATE head SET lease_until = NULL');
    await expect(desk.ask('agent-1', 1, '{}')).rejects.toMatchObject({ code: 'service_not_running' });
    await desk.end(endOf('agent-1'));
    const states = ['agent-1', 'agent-2', 'agent-3', 'agent-8', 'agent-9'];
    expect(await Promise.all(states.map((id) => folders.state(id)))).toEqual([
      ...['ended', 'at-work', 'at-work', 'ended', 'ended'],
    ]);
    expect(await folders.ended('agent-1')).toMatchObject({ exit: { code: 0 }, branch: 'wg/build/1' });
    expect(await folders.ended('agent-2')).toBeUndefined();
    expect(await folders.ended('agent-99'), 'a run of this machine').toBeUndefined();
    expect((await folders.listed()).map(({ id, status, worker }) => [id, status, worker])).toEqual([
      ['agent-3', 'starting', undefined],
      ['agent-2', 'working', 'box'],
      ['agent-1', 'done', 'box'],
    ]);
    expect([await folders.atWork(), await folders.places('agent-2'), await folders.session('agent-2')]).toEqual([
      [],
      [],
      undefined,
    ]);

    expect(await Promise.all(['agent-1', 'agent-2', 'agent-3'].map((id) => folders.end(id, false)))).toEqual([
      false,
      true,
      true,
    ]);
    expect(await folders.state('agent-3')).toBe('gone');
    expect((await desk.beat([])).wishes).toEqual([{ run: 'agent-2', fence: 1, end: 'stopped' }]);
    await folders.keepRefused('agent-1', { verb: 'done' });
    await folders.keepRefused('agent-9', { verb: 'done' });
    expect((await database.query('SELECT run, text FROM refused_ends')).rows).toEqual([
      { run: 'agent-1', text: '{"verb":"done"}' },
    ]);
    await close();
  });

  verifies('fleet.beat', 'a heartbeat writes one row, whatever it tells of', async () => {
    const { database, desk, close } = await stage();
    const written = async () => {
      const both = 'SELECT run AS name, xmin::text AS xid FROM attempts UNION ALL SELECT name, xmin::text FROM workers';
      return (await database.query<{ name: string; xid: string }>(`${both} ORDER BY 1`)).rows;
    };
    await desk.beat([]);
    const before = await written();
    await desk.beat(['agent-1', 'agent-2'].map(endOf));
    const after = await written();
    expect(after.filter(({ xid }, index) => xid !== before[index]?.xid).map(({ name }) => name)).toEqual(['box']);
    const { rows } = await database.query<{ options: string[] }>(
      "SELECT reloptions AS options FROM pg_class WHERE oid = 'workers'::regclass",
    );
    expect(rows).toEqual([{ options: ['fillfactor=10'] }]);
    await close();
  });

  verifies('fleet.worker', 'a person asks a worker to drain or to stop, and removes one that is silent', async () => {
    const { database, desk, close } = await stage();
    expect(await askWorker(database, 'nobody', 'stop')).toBe(false);
    expect(await askWorker(database, 'box', 'drain')).toBe(true);
    expect([await desk.take(1, []), (await desk.beat([])).asked]).toEqual([[], 'drain']);
    expect(await askWorker(database, 'box', 'stop')).toBe(true);
    expect((await standingOfWorkers(database)).map(({ name, asked }) => [name, asked])).toEqual([['box', 'stop']]);
    const silent = "UPDATE workers SET seen_at = seen_at - $1 * interval '1 ms'";
    await database.query(silent, [DATABASE_LIMITS.workerLeaseMs + 1]);
    expect(await askWorker(database, 'box', 'stop')).toBe(true);
    expect(await standingOfWorkers(database)).toEqual([]);
    await expect(desk.beat([])).rejects.toMatchObject({ code: 'not_found' });
    await close();
  });

  verifies('fleet.outside', 'what was forgotten long ago goes, and what came too late with it', async () => {
    const { database, desk, close } = await stage();
    await desk.append('agent-1', 1, { of: 'output', from: 0, bytes: Buffer.from('x') });
    await desk.end({ ...endOf('agent-1'), fact: { ...endOf('agent-1').fact, fence: 9 } });
    const old = `clock_timestamp() - ${DATABASE_LIMITS.attemptsKeptMs + 60_000} * interval '1 ms'`;
    await database.query(`UPDATE attempts SET state = 'forgotten', forgotten_at = ${old} WHERE run <> 'agent-3'`);
    await database.query(`UPDATE refused_ends SET at = ${old}`);
    const { epoch } = await Leadership.take(database, LEADING);
    await new PostgresAttemptBoard({ database, epoch, lookMs: 100, blobs: async () => ROW_BLOBS }).prune();
    const left = 'SELECT run FROM attempts UNION ALL SELECT run FROM run_pieces UNION ALL SELECT run FROM refused_ends';
    expect((await database.query(left)).rows).toEqual([{ run: 'agent-3' }]);
    await close();
  });

  verifies(
    'fleet.blobs',
    'what lies beside the database is read as if it lay there, and goes with its attempt',
    async () => {
      const server = await S3Server.open();
      const { database, desk, folders, close } = await stage(new S3Blobs(server.place));
      const text = `one\ntwo ${'x'.repeat(100_000)}\nthree\n`;
      const append = (from: number, to: number) =>
        desk.append('agent-1', 1, { of: 'output', from, bytes: Buffer.from(text.slice(from, to)) });
      expect(await append(0, 6)).toBe(true);
      expect(await append(2, 90_000), 'from before where it ended: its answer was lost').toBe(true);
      expect(await append(0, 4), 'all of it is known').toBe(true);
      expect(await append(90_000, text.length)).toBe(true);
      const { rows } = await database.query<object>('SELECT position, size, skip FROM run_pieces ORDER BY position');
      expect(rows).toEqual([
        { position: 0, size: 6, skip: 0 },
        { position: 6, size: 65_532, skip: 4 },
        { position: 65_538, size: 24_462, skip: 0 },
        { position: 90_000, size: text.length - 90_000, skip: 0 },
      ]);
      const whole = await folders.part('agent-1', 'output', { from: 0, most: 200_000 });
      expect(whole).toEqual({ text, next: text.length, size: text.length });
      expect(await folders.part('agent-1', 'output', { most: 6 })).toMatchObject({ text: 'three\n' });
      expect(await folders.part('agent-1', 'output', { from: 3, most: 1 })).toMatchObject({ text: '\n' });
      const [first = ''] = server.objects.keys();
      server.objects.delete(first);
      await expect(folders.part('agent-1', 'output', { from: 0, most: 3 })).rejects.toMatchObject({
        code: 'blob_missing',
      });

      const old = `clock_timestamp() - ${DATABASE_LIMITS.attemptsKeptMs + 60_000} * interval '1 ms'`;
      await database.query(`UPDATE attempts SET state = 'forgotten', forgotten_at = ${old}`);
      const { epoch } = await Leadership.take(database, LEADING);
      const prune = async () => {
        const board = new PostgresAttemptBoard({
          database: await PostgresDatabase.of(address ?? '', database.schema.slice('troupe_'.length)),
          ...{ epoch, lookMs: 100, blobs: async () => new S3Blobs(server.place) },
        });
        await board.prune();
        await board.close(); // waits for what lies elsewhere
        return (await database.query<{ run: string }>('SELECT run FROM attempts')).rows.map(({ run }) => run);
      };
      server.instead = () => ({ status: 503 });
      expect(await prune(), 'nothing is forgotten whose bytes stay').toEqual(['agent-1']);
      expect(server.objects.size).toBe(4);
      server.instead = undefined;
      expect(await prune()).toEqual([]);
      expect(server.objects.size).toBe(0);
      await close();
    },
  );

  verifies('fleet.blobs', 'a leader that stops waits for one folder of objects, not for all of them', async () => {
    const server = await S3Server.open();
    const { database, desk, close } = await stage(new S3Blobs(server.place));
    for (const run of ['agent-1', 'agent-2'])
      await desk.append(run, 1, { of: 'output', from: 0, bytes: Buffer.from(`${run}\n`) });
    const old = `clock_timestamp() - ${DATABASE_LIMITS.attemptsKeptMs + 60_000} * interval '1 ms'`;
    await database.query(`UPDATE attempts SET state = 'forgotten', forgotten_at = ${old}`);
    const { epoch } = await Leadership.take(database, LEADING);
    const removed: string[] = [];
    let begun: () => void = () => undefined;
    let goOn: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const slow: Blobs = {
      ...ROW_BLOBS,
      removeFolder: async (folder) => {
        removed.push(folder);
        begun();
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
      },
    };
    const board = new PostgresAttemptBoard({
      database: await PostgresDatabase.of(address ?? '', database.schema.slice('troupe_'.length)),
      ...{ epoch, lookMs: 100, blobs: async () => slow },
    });
    await board.prune();
    await hasBegun;
    const closed = board.close();
    goOn();
    await closed;
    expect(removed).toHaveLength(1);
    expect((await database.query('SELECT run FROM run_pieces')).rows, 'the next leader goes on with it').toHaveLength(
      1,
    );
    await close();
  });

  verifies('fleet.beat', 'the limits of the tables are those of the program', async () => {
    const { database, close } = await stage();
    const source = async (name: string) =>
      (await database.query<{ prosrc: string }>('SELECT prosrc FROM pg_proc WHERE oid = $1::regproc', [name])).rows[0]
        ?.prosrc;
    expect(await source('worker_arrive')).toContain(`'${DATABASE_LIMITS.workerLeaseMs / 1_000} s'`);
    expect(await source('worker_append')).toContain(` ${DATABASE_LIMITS.runBytes};`);
    const large = "INSERT INTO run_pieces VALUES ('agent-1', 'output', 0, $1, convert_to(repeat('x', $1), 'UTF8'))";
    await database.query(large, [DATABASE_LIMITS.pieceBytes]);
    await expect(
      database.query(large.replace(', 0,', ', 99999,'), [DATABASE_LIMITS.pieceBytes + 1]),
    ).rejects.toMatchObject({ code: 'internal' });
    await close();
  });
});
