import { describe, expect, onTestFinished } from 'vitest';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { Leadership } from '#adapters/postgres/leadership.js';
import { grantRoles, rolesOf, rolesSql } from '#adapters/postgres/roles.js';
import { migrateDatabase, refuseOtherSchema, refuseOtherWorkerSchema } from '#adapters/postgres/schema.js';
import { WriterTurn } from '#adapters/postgres/turn.js';
import { PostgresStore } from '#adapters/store/postgres/postgres-store.js';
import { HandedOutRuns, USUAL_ATTEMPT_TERMS } from '#adapters/workers/handed-out-runs.js';
import { PostgresAttemptBoard } from '#adapters/workers/postgres-board.js';
import { PostgresWorkerGateway } from '#adapters/workers/postgres-worker-gateway.js';
import { ROW_BLOBS } from '#adapters/workers/row-blobs.js';
import { standingOfWorkers } from '#adapters/workers/standing.js';
import { addTask } from '#core/graph/add.js';
import type { AttemptEnd } from '#ports/worker-gateway.js';
import { NOW } from '../../contract/graph-store.js';
import { freshDatabase, freshProject, MIGRATIONS, postgresAddress } from '../../postgres.js';
import { sealFor } from '../../seal.js';
import { verifies } from '../../verifies.js';

const address = await postgresAddress();
const SEAL = sealFor('shop');
const LEADING = { who: 'leader', seize: true, stopWaiting: () => true, onLost: () => undefined };

describe.skipIf(address === undefined)('the roles of a project', () => {
  const server = address ?? '';

  /** A login that belongs to these roles and is gone with the test, and its address. */
  async function login(owner: PostgresDatabase, name: string, words: string): Promise<string> {
    const own = `${owner.schema}_${name}`;
    await owner.query(`CREATE ROLE ${own} LOGIN PASSWORD 'known' ${words}`);
    onTestFinished(async () => {
      const cleaner = await PostgresDatabase.of(server, owner.schema.slice('troupe_'.length));
      await cleaner.query(`DROP OWNED BY ${own} CASCADE`);
      await cleaner.query(`DROP ROLE ${own}`);
      await cleaner.close();
    });
    const url = new URL(server);
    [url.username, url.password] = [own, 'known'];
    return url.href;
  }
  const as = async (place: string, schema: string) => {
    const database = await PostgresDatabase.of(place, schema.slice('troupe_'.length));
    onTestFinished(() => database.close());
    return database;
  };
  const refused = { code: 'database_refused' };

  verifies('fleet.roles', 'whoever leads, works or looks may do their part and nothing else', async () => {
    const owner = await freshDatabase(server);
    const { schema } = owner;
    expect([await grantRoles(owner), await grantRoles(owner)], 'once more changes nothing').toEqual([[], []]);
    const roles = rolesOf(schema);
    const [leads, works, looks] = await Promise.all([
      login(owner, 'ann', `IN ROLE ${roles.leader}`),
      login(owner, 'box', `IN ROLE ${roles.worker}`),
      login(owner, 'eve', `IN ROLE ${roles.viewer}`),
    ]);

    const leader = await as(leads, schema);
    await refuseOtherSchema(leader, MIGRATIONS);
    const leadership = await Leadership.take(leader, LEADING);
    const store = await PostgresStore.open({ database: await PostgresDatabase.of(leads, schema.slice(7)), leadership });
    await store.commit((view) => addTask(view, { title: 'By a leader' }, { now: NOW }));
    const runs = new HandedOutRuns({
      board: new PostgresAttemptBoard({
        database: await PostgresDatabase.of(leads, schema.slice(7)),
        epoch: store.epoch,
        lookMs: 100,
        blobs: async () => ROW_BLOBS,
      }),
      clock: store.clock,
      trees: async () => ({ placeOf: async () => ({ path: '/wg', folder: '/wg', branch: 'wg/build/1' }) }),
      terms: USUAL_ATTEMPT_TERMS,
      seal: SEAL,
    });
    runs.assignRun('agent-1', { tree: { task: 'build', attempt: 1, base: 'abc' }, setsUp: false, labels: [] });
    const own = { id: 'agent-1', taskId: 'build', fence: 1, timeoutMs: 1_000, startedAt: 1_000 };
    await runs.start({ ...own, command: 'make', check: '', environment: {}, sandboxed: true });
    for (const forbidden of [
      'CREATE TABLE more (one integer)',
      'DROP TABLE events',
      'ALTER TABLE events ADD COLUMN more text',
      'TRUNCATE events',
      'DELETE FROM migrations',
    ])
      await expect(leader.query(forbidden), forbidden).rejects.toMatchObject(refused);

    const worker = await as(works, schema);
    await refuseOtherWorkerSchema(worker, MIGRATIONS);
    const desk = new PostgresWorkerGateway({
      database: await PostgresDatabase.of(works, schema.slice(7)),
      ...{ key: 'key-of-box', lookMs: 100, blobs: ROW_BLOBS },
    });
    await desk.registerWorker({
      name: 'box',
      at: 'here',
      version: '1',
      slots: 1,
      labels: [],
      executors: [],
      leaders: [SEAL.card.key],
    });
    expect(await desk.take(1, [])).toHaveLength(1);
    expect(await desk.append('agent-1', 1, { of: 'output', from: 0, bytes: Buffer.from('x') })).toBe(true);
    expect((await desk.beat([])).asked).toBe('work');
    const asked = desk.ask('agent-1', 1, '{"cmd":"show"}');
    const answer = setInterval(() => {
      leader.query('UPDATE asked SET answer = caller').catch(() => undefined); // asked again in a moment
    }, 20);
    expect(JSON.parse(await asked)).toEqual({
      ...{ kind: 'run', name: 'agent-1', taskId: 'build', fence: 1, atItsDoor: true },
    });
    clearInterval(answer);
    await expect(desk.ask('agent-1', 2, '{}'), 'it is no run of this worker').rejects.toMatchObject({
      code: 'stale_attempt',
    });
    const fact = { ...own, alive: false, started: true, outputBytes: 1, exit: { code: 0 } };
    const listed = { id: 'agent-1', task_id: 'build', executor: 'shell', status: 'done', started_at: '' } as const;
    const end: AttemptEnd = { fact, listed, publication: undefined, unpublished: undefined };
    expect(await desk.end(end)).toBe('taken');
    const { rows: tables } = await owner.query<{ name: string }>(
      'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1',
      [schema],
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      await expect(worker.query(`SELECT FROM ${name}`), name).rejects.toMatchObject(refused);
      await expect(worker.query(`DELETE FROM ${name}`), name).rejects.toMatchObject(refused);
    }
    for (const forbidden of [
      "SELECT worker_is('box', '')",
      "SELECT worker_lost('box', now(), '{}')",
      'CREATE TABLE more (one integer)',
    ])
      await expect(worker.query(forbidden), forbidden).rejects.toMatchObject(refused);
    await worker.query('CREATE TEMPORARY TABLE workers AS SELECT 1 AS one').catch(() => undefined); // where a server lets it
    expect((await desk.beat([])).asked, 'functions see the tables of the project alone').toBe('work');

    const viewer = await as(looks, schema);
    await refuseOtherSchema(viewer, MIGRATIONS);
    expect((await viewer.query('SELECT seq FROM events')).rows).toHaveLength(1);
    expect((await standingOfWorkers(viewer)).map(({ name }) => name)).toEqual(['box']);
    for (const forbidden of [
      'SELECT token FROM workers',
      "UPDATE attempts SET state = 'forgotten'",
      'UPDATE head SET epoch = 9',
      'DELETE FROM events',
      "SELECT worker_beat('box', '', '{}', '{}')",
      'CREATE TABLE more (one integer)',
    ])
      await expect(viewer.query(forbidden), forbidden).rejects.toMatchObject(refused);

    await desk.unregisterWorker();
    await runs.close();
    await store.close();
  });

  verifies('fleet.roles', 'who may make no roles goes without, until an administrator has made them', async () => {
    const project = freshProject(server);
    const administrator = await PostgresDatabase.of(server, project);
    onTestFinished(() => administrator.close());
    const { schema } = administrator;
    const place = await login(administrator, 'owner', '');
    await administrator.query(`CREATE SCHEMA ${schema} AUTHORIZATION ${schema}_owner`);
    const owner = await as(place, schema);
    await migrateDatabase(owner, MIGRATIONS);
    await new WriterTurn(owner).fill(async () => undefined);
    const names = Object.values(rolesOf(schema));
    expect(await grantRoles(owner)).toEqual(names);
    await Promise.all(
      rolesSql(schema, `${schema}_owner`)
        .split(';')
        .filter((statement) => !/^\s*--[^\n]*\s*$/.test(statement))
        .map((statement) => administrator.query(statement)),
    );
    expect(await grantRoles(owner)).toEqual([]);
    const works = await login(administrator, 'box', `IN ROLE ${rolesOf(schema).worker}`);
    await refuseOtherWorkerSchema(await as(works, schema), MIGRATIONS);
  });
});
