import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { publishedLeaders, publishLeader } from '#adapters/postgres/leaders.js';
import { Leadership } from '#adapters/postgres/leadership.js';
import { readingOnly, readOnly, refuseReading } from '#adapters/postgres/reading.js';
import { grantRoles, rolesOf, rolesSql } from '#adapters/postgres/roles.js';
import { migrateDatabase, refuseOtherWorkerSchema } from '#adapters/postgres/schema.js';
import { afterLeader, ledByAnother, WriterTurn } from '#adapters/postgres/turn.js';
import { TroupeError } from '#kernel/errors.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import { freshDatabase, MIGRATIONS, postgresAddress } from '../../postgres.js';
import { sealFor } from '../../seal.js';
import { verifies } from '../../verifies.js';

const HEAD = { state: 'in-use', seq: 0, last_id: null, epoch: 3, leader: 'box', lease: 'soon', said: 0 } as const;
const locked = (lease: string | null) => new TroupeError('locked', { details: { lease } });

verifies('fleet.elect', 'an error names the present leader, and says whether this process led before', () => {
  const told = ({ code, message, hint, details }: TroupeError) => [code, message.split(' Fix')[0], hint, details];
  const hint = 'Run the command where the service runs, or stop it there with `troupe service stop`.';
  const details = { leader: 'box', lease: 'soon', epoch: 3, retriable: true };
  expect(told(ledByAnother(HEAD))).toEqual([
    'locked',
    expect.stringContaining('Another process writes in the project: it is led by box.'),
    ...[hint, details],
  ]);
  expect(ledByAnother(HEAD, 2).message).toContain('This process no longer leads the project: box does.');
  expect(ledByAnother({ ...HEAD, lease: null }, 2).message).toContain('nobody does');
  expect(ledByAnother({ ...HEAD, leader: null }).message).toContain('led by nobody');
});

verifies('fleet.elect', 'a leader that does not renew its lease is waited for, one that renews it is not', async () => {
  const asked: string[] = [];
  const attempts = (...answers: (TroupeError | string)[]) => {
    asked.length = 0;
    return async () => {
      const answer = answers.shift() ?? 'too often';
      asked.push(String(answer));
      if (typeof answer !== 'string') throw answer;
      return answer;
    };
  };
  const from = performance.now();
  expect(await afterLeader(attempts(locked('a'), 'done'))).toBe('done');
  expect(performance.now() - from).toBeGreaterThan(DATABASE_LIMITS.leaderLookMs - 5);
  expect(asked).toHaveLength(2);
  const renewed = locked('b');
  await expect(afterLeader(attempts(locked('a'), renewed, 'done'))).rejects.toBe(renewed);
  await expect(afterLeader(attempts(locked(null), 'done'))).rejects.toMatchObject({ code: 'locked' });
  await expect(afterLeader(attempts(locked('a'), 'done'), () => true)).rejects.toMatchObject({ code: 'locked' });
  const other = new TroupeError('wrong_status', { details: { lease: 'a' } });
  await expect(afterLeader(attempts(other, 'done'))).rejects.toBe(other);
});

verifies(
  'fleet.read',
  'a project is read-only on a replica, on a server set so, or for a login without rights',
  async () => {
    const of = (rights?: object) =>
      readingOnly({ query: async () => ({ rows: rights === undefined ? [] : [rights as never], rowCount: 1 }) });
    const free = { replica: false, fixed: false, looks: true, writes: true, age: null };
    expect([await of(), await of({}), await of(free)]).toEqual([undefined, undefined, undefined]);
    expect(await of({ ...free, replica: true, fixed: true })).toEqual({ by: 'replica', ageMs: undefined });
    expect(await of({ ...free, replica: true, age: 12.6 })).toEqual({ by: 'replica', ageMs: 13 });
    expect(await of({ ...free, replica: true, age: -3 })).toEqual({ by: 'replica', ageMs: 0 });
    expect(await of({ ...free, fixed: true })).toEqual({ by: 'server', ageMs: undefined });
    expect(await of({ ...free, writes: false })).toEqual({ by: 'login', ageMs: undefined });
    expect(await of({ ...free, looks: false, writes: false }), 'a worker').toBeUndefined();
    const told = (by: 'replica' | 'server' | 'login', leader?: string) => {
      const { code, details, hint } = readOnly({ by, ageMs: undefined }, { schema: 'troupe_x' }, leader);
      return [code, details, hint?.includes('troupe_x_leader')];
    };
    expect([told('replica', 'box'), told('server', 'box'), told('login', 'box'), told('login')]).toEqual([
      ['database_read_only', { by: 'replica', leader: 'box' }, false],
      ['database_read_only', { by: 'server', leader: 'box' }, false],
      ['database_read_only', { by: 'login', leader: 'box' }, true],
      ['database_read_only', { by: 'login' }, true],
    ]);
  },
);

test('an administrator is given the statements that make the roles', () => {
  expect(rolesSql('troupe_shop', 'an"n')).toMatchInlineSnapshot(`
    "-- The roles of the project shop, and the schema in which an"n makes its tables.
    CREATE ROLE troupe_shop_leader NOLOGIN;
    CREATE ROLE troupe_shop_worker NOLOGIN;
    CREATE ROLE troupe_shop_viewer NOLOGIN;
    CREATE SCHEMA IF NOT EXISTS troupe_shop AUTHORIZATION "an""n";
    -- One login for each machine, such as:
    -- CREATE ROLE box LOGIN PASSWORD '…' IN ROLE troupe_shop_worker;
    "
  `);
});

const address = await postgresAddress();

describe.skipIf(address === undefined)('a leader', () => {
  const server = address ?? '';
  const headOf = async (database: PostgresDatabase) =>
    (
      await database.query<{ epoch: number; leader: string | null; left: number | null }>(
        `SELECT epoch, leader, (extract(epoch FROM lease_until - clock_timestamp()) * 1000)::float8 AS left FROM head`,
      )
    ).rows[0];
  /** Fakes the timers of this process; the server's clock goes on. */
  function fakeTimers() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
  }
  const lead = (database: PostgresDatabase, who = 'left', lost: string[] = [], seize = false) =>
    Leadership.take(database, { who, seize, stopWaiting: () => true, onLost: () => lost.push(who) });

  verifies('fleet.elect', 'it renews its lease, and leaves no timer behind', async () => {
    const database = await freshDatabase(server);
    fakeTimers();
    const lost: string[] = [];
    const leadership = await lead(database, 'left', lost);
    expect([leadership.epoch, (await headOf(database))?.leader]).toEqual([1, 'left']);
    await database.query("UPDATE head SET lease_until = clock_timestamp() + interval '9 s'");
    vi.advanceTimersByTime(DATABASE_LIMITS.renewMs);
    while (((await headOf(database))?.left ?? 0) < 9_000);
    expect([leadership.lost, lost]).toEqual([false, []]);
    vi.advanceTimersByTime(DATABASE_LIMITS.leaseMs - 1);
    expect([leadership.lost, lost], 'counted from when the renewal was asked').toEqual([false, []]);
    await leadership.release();
    expect(await headOf(database)).toEqual({ epoch: 1, leader: null, left: null });
    vi.advanceTimersByTime(DATABASE_LIMITS.leaseMs);
    expect([leadership.lost, lost], 'what was released is not lost').toEqual([false, []]);
    await database.close();
    expect(vi.getTimerCount()).toBe(0);
    await leadership.release();
  });

  verifies('fleet.elect', 'it has lost as soon as its lease may be over, and says so once', async () => {
    const database = await freshDatabase(server);
    fakeTimers();
    const lost: string[] = [];
    const leadership = await lead(database, 'left', lost);
    vi.advanceTimersByTime(DATABASE_LIMITS.leaseMs);
    expect([lost, leadership.lost]).toEqual([['left'], true]);
    leadership.noteFailure(new TroupeError('locked', { details: { epoch: 4 } }));
    await leadership.release();
    await database.query('SELECT 1');
    expect((await headOf(database))?.leader, 'the lease is left to run out').toBe('left');
    expect(lost).toEqual(['left']);
    vi.advanceTimersByTime(4 * DATABASE_LIMITS.leaseMs);
    await database.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  verifies('fleet.elect', 'it has lost once another leads, or a change was refused for that', async () => {
    const database = await freshDatabase(server);
    fakeTimers();
    const lost: string[] = [];
    const first = await lead(database, 'first', lost);
    await expect(lead(database, 'second', lost)).rejects.toMatchObject({
      code: 'locked',
      details: { leader: 'first' },
    });
    const second = await lead(database, 'second', lost, true);
    expect([first.epoch, second.epoch, first.lost]).toEqual([1, 2, false]);
    vi.advanceTimersByTime(DATABASE_LIMITS.renewMs);
    while (lost.length === 0) await database.query('SELECT 1');
    expect([lost, first.lost, second.lost]).toEqual([['first'], true, false]);
    await first.release();
    expect((await headOf(database))?.leader, 'the end of one that lost takes nothing away').toBe('second');
    second.noteFailure(new Error('x'));
    second.noteFailure(new TroupeError('locked'));
    second.noteFailure(new TroupeError('wrong_status', { details: { epoch: 3 } }));
    expect(second.lost).toBe(false);
    second.noteFailure(new TroupeError('locked', { details: { epoch: 3 } }));
    expect([second.lost, lost]).toEqual([true, ['first', 'second']]);
  });

  verifies('fleet.elect', 'its timers keep no process alive', async () => {
    const database = await freshDatabase(server);
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const leadership = await lead(database);
    expect(timers()).toBeLessThanOrEqual(before); // one of an earlier test may end meanwhile
    await leadership.release();
  });

  verifies(
    'fleet.elect',
    'only the present leader has its turn, and others have theirs when there is none',
    async () => {
      const database = await freshDatabase(server);
      const work = async () => 'done';
      const command = new WriterTurn(database, { stopWaiting: () => true });
      expect(await command.take(work)).toBe('done');
      const unled = new WriterTurn(database, { epoch: 0 });
      await expect(unled.take(work), 'nothing leads').rejects.toMatchObject({ code: 'locked' });
      const leadership = await lead(database);
      expect(await leadership.turn.take(async (_queries, { epoch, leader }) => [epoch, leader])).toEqual([1, 'left']);
      await expect(command.take(work)).rejects.toMatchObject({ code: 'locked', details: { epoch: 1 } });
      await expect(unled.take(work), 'another epoch').rejects.toMatchObject({ code: 'locked' });
      await expect(command.fill(work)).rejects.toMatchObject({ code: 'store_not_empty' });
      await leadership.release();
      await database.query("UPDATE head SET state = 'retired'");
      await expect(command.take(work)).rejects.toMatchObject({ code: 'storage_retired' });
      await expect(lead(database)).rejects.toMatchObject({ code: 'storage_retired' });
      await database.query("UPDATE head SET state = 'empty'");
      await expect(command.take(work)).rejects.toMatchObject({ code: 'not_initialized' });
      await expect(lead(database)).rejects.toMatchObject({ code: 'not_initialized' });
      expect(await command.look(async (_queries, { state }) => state)).toBe('empty');
      expect(await command.fill(work)).toBe('done');
      expect((await database.query('SELECT state FROM head')).rows).toEqual([{ state: 'in-use' }]);
      await database.query('DELETE FROM head');
      await expect(command.take(work)).rejects.toMatchObject({ code: 'data_corrupt' });
    },
  );

  verifies(
    'fleet.trust',
    'keys of machines that may lead are published once each, with their latest names',
    async () => {
      const database = await freshDatabase(server);
      const { key } = sealFor('shop').card;
      await publishLeader(database, { key, name: 'old', at: 'there' });
      await publishLeader(database, { key, name: 'box', at: 'here' });
      expect(await publishedLeaders(database)).toEqual([{ key, name: 'box', at: 'here', leads: false }]);
    },
  );

  verifies('fleet.roles', 'each role has exactly its rights', async () => {
    const owner = await freshDatabase(server);
    const { schema } = owner;
    expect(await grantRoles(owner)).toEqual([]);
    const roles = rolesOf(schema);
    const list = async (text: string, values: readonly unknown[]) =>
      (await owner.query<{ name: string }>(text, values)).rows.map(({ name }) => name);
    const functions = (role: string) =>
      list(
        `SELECT proname AS name FROM pg_proc WHERE pronamespace = $1::regnamespace
           AND has_function_privilege($2, oid, 'EXECUTE') ORDER BY 1`,
        [schema, role],
      );
    const ofWorkers = [
      ...['worker_answer', 'worker_append', 'worker_arrive', 'worker_ask', 'worker_beat', 'worker_ends'],
      ...['worker_leaders', 'worker_leave', 'worker_migrations', 'worker_take', 'worker_tells'],
    ];
    expect(await functions(roles.worker)).toEqual(ofWorkers);
    expect(await functions(roles.leader)).toEqual(ofWorkers);
    expect(await functions(roles.viewer)).toEqual(['worker_leaders']);
    const tables = (role: string, right: string) =>
      list(
        `SELECT tablename AS name FROM pg_tables WHERE schemaname = $1
           AND has_table_privilege($2, quote_ident(schemaname) || '.' || quote_ident(tablename), $3) ORDER BY 1`,
        [schema, role, right],
      );
    const all = await list('SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 ORDER BY 1', [schema]);
    const without = (one: string) => all.filter((name) => name !== one);
    expect(await tables(roles.leader, 'SELECT')).toEqual(all);
    for (const right of ['INSERT', 'UPDATE', 'DELETE'])
      expect(await tables(roles.leader, right), right).toEqual(without('migrations'));
    expect(await tables(roles.viewer, 'SELECT')).toEqual(without('workers'));
    expect(await tables(roles.worker, 'SELECT')).toEqual([]);
    const hidden = await list(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = $1 AND table_name = 'workers'
         AND NOT has_column_privilege($2, $1 || '.workers', column_name, 'SELECT')`,
      [schema, roles.viewer],
    );
    expect(hidden).toEqual(['token']);
    const sequences = await list(
      `SELECT sequencename AS name FROM pg_sequences WHERE schemaname = $1
         AND NOT has_sequence_privilege($2, $1 || '.' || quote_ident(sequencename), 'USAGE')`,
      [schema, roles.leader],
    );
    expect(sequences).toEqual([]);
  });

  verifies('fleet.read', 'a login that may only read is refused before it changes anything', async () => {
    const owner = await freshDatabase(server);
    const { schema } = owner;
    await grantRoles(owner);
    const name = `${schema}_eve`;
    await owner.query(`CREATE ROLE ${name} LOGIN IN ROLE ${rolesOf(schema).viewer}`);
    onTestFinished(async () => {
      const cleaner = await PostgresDatabase.of(server, schema.slice('troupe_'.length));
      await cleaner.query(`DROP ROLE ${name}`);
      await cleaner.close();
    });
    const url = new URL(server);
    url.username = name;
    const viewer = await PostgresDatabase.of(url.href, schema.slice('troupe_'.length));
    const refused = { code: 'database_read_only', details: { by: 'login' } };
    await expect(refuseReading(viewer)).rejects.toMatchObject(refused);
    await expect(lead(viewer)).rejects.toMatchObject(refused);
    await expect(new WriterTurn(viewer).look(async () => 1)).rejects.toMatchObject(refused);
    await expect(migrateDatabase(viewer, MIGRATIONS)).rejects.toMatchObject(refused);
    await expect(refuseOtherWorkerSchema(viewer, MIGRATIONS)).rejects.toMatchObject(refused);
    await viewer.close();
    await refuseReading(owner);
    expect(owner.access.writes).toBe(true);
    await owner.query(`ALTER ROLE ${name} SET default_transaction_read_only = on`);
    await owner.query(`GRANT ${rolesOf(schema).leader} TO ${name}`);
    const fixed = await PostgresDatabase.of(url.href, schema.slice('troupe_'.length));
    await expect(refuseReading(fixed)).rejects.toMatchObject({ details: { by: 'server' } });
    expect(fixed.access.writes).toBe(false);
    await fixed.close();
  });
});
