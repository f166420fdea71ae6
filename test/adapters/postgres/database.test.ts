import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAddress } from '#adapters/postgres/address.js';
import { DatabaseClock } from '#adapters/postgres/clock.js';
import { connectionConfig, databaseDriver } from '#adapters/postgres/connection.js';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { databaseError, isConnectionLoss } from '#adapters/postgres/errors.js';
import { migrateDatabase, refuseOtherSchema } from '#adapters/postgres/schema.js';
import { TroupeError } from '#kernel/errors.js';
import { freshDatabase, freshProject, MIGRATIONS, postgresAddress } from '../../postgres.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const SECRET = 'open-sesame';

describe('addresses', () => {
  test('name a server, a database and a user', () => {
    expect(parseAddress('postgresql://ann:pa%20ss@db.example:6000/teams?sslrootcert=/ca.pem')).toEqual({
      ...{ host: 'db.example', port: 6000, database: 'teams', user: 'ann', password: 'pa ss', authorities: '/ca.pem' },
    });
    expect(parseAddress('postgres://ann@localhost/teams?host=/run/postgresql')).toEqual({
      ...{ host: '/run/postgresql', port: 5432, database: 'teams', user: 'ann' },
      ...{ password: undefined, authorities: undefined },
    });
  });

  test.each([
    ['mysql://ann@host/teams', 'postgresql://'],
    [`ann:${SECRET}@host`, 'postgresql://'],
    [`postgresql://ann:${SECRET}@host`, 'no database'],
    ['postgresql://host/teams', 'no user'],
    [`postgresql://ann:${SECRET}@host/teams?sslmode=disable`, 'always checked'],
    [`postgresql://ann:${SECRET}@host/teams?options=x`, 'parameter'],
    [`postgresql://ann:%zz${SECRET}@host/teams`, '%'],
  ])('%j is refused', (address, why) => {
    const refused = refusalOf(() => parseAddress(address));
    expect(refused.message).toContain(why);
    expect(JSON.stringify(refused)).not.toContain(SECRET);
  });

  test('TLS is checked for the very host, unless that is this machine', async () => {
    const driver = await databaseDriver();
    const ssl = (place: string) => connectionConfig(driver, parseAddress(`postgresql://ann@${place}`), 'x').ssl;
    const near = [
      'localhost/teams',
      '127.0.0.1/teams',
      '127.3.2.1/teams',
      '[::1]/teams',
      'far/teams?host=/run/postgresql',
    ];
    expect(near.map(ssl)).toEqual([false, false, false, false, false]);
    const far = ssl('10.1.2.3/teams') as {
      rejectUnauthorized: boolean;
      checkServerIdentity(name: string, of: object): unknown;
    };
    expect(far.rejectUnauthorized).toBe(true);
    const certificate = { subject: { CN: 'localhost' }, subjectaltname: 'DNS:localhost' };
    expect(far.checkServerIdentity('localhost', certificate)).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });
});

test('what the server and the network say has a code, and tells whether it passes', () => {
  const said = (code: string, message = `at 10.1.2.3:5432 with ${SECRET}`) => {
    const error = databaseError(Object.assign(new Error(message), code === '' ? {} : { code }));
    if (!(error instanceof TroupeError)) return [code, 'unknown'];
    expect(JSON.stringify([error, error.message, error.cause]), code).not.toMatch(/10\.1\.2\.3|open-sesame/);
    return [code, error.code, error.details['retriable']];
  };
  const codes = ['ECONNREFUSED', 'ENOENT', '57P01', '57P03', '08006', '53300', '28P01', '28000', '3D000', '42501'];
  const more = ['42P01', '25006', '53100', '40001', '57014', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'];
  expect([...codes, ...more].map((code) => said(code))).toMatchInlineSnapshot(`
    [
      [
        "ECONNREFUSED",
        "database_away",
        true,
      ],
      [
        "ENOENT",
        "database_away",
        true,
      ],
      [
        "57P01",
        "database_away",
        true,
      ],
      [
        "57P03",
        "database_away",
        true,
      ],
      [
        "08006",
        "database_away",
        true,
      ],
      [
        "53300",
        "database_away",
        true,
      ],
      [
        "28P01",
        "database_refused",
        false,
      ],
      [
        "28000",
        "database_refused",
        false,
      ],
      [
        "3D000",
        "not_found",
        false,
      ],
      [
        "42501",
        "database_refused",
        false,
      ],
      [
        "42P01",
        "not_initialized",
        false,
      ],
      [
        "25006",
        "database_read_only",
        true,
      ],
      [
        "53100",
        "disk_full",
        true,
      ],
      [
        "40001",
        "locked",
        true,
      ],
      [
        "57014",
        "locked",
        true,
      ],
      [
        "CERT_HAS_EXPIRED",
        "database_refused",
        false,
      ],
      [
        "ERR_TLS_CERT_ALTNAME_INVALID",
        "database_refused",
        false,
      ],
    ]
  `);
  expect(said('', 'Connection terminated unexpectedly')).toEqual(['', 'database_away', true]);
  expect(said('', 'The server does not support SSL connections')).toEqual(['', 'database_refused', false]);
  expect(said('', 'something else')).toEqual(['', 'unknown']);
  expect(isConnectionLoss(Object.assign(new Error('x'), { code: '23505' }))).toBe(false);
});

verifies('fleet.clock', 'the clock of the database is corrected by round trips, and never goes back', () => {
  const clock = new DatabaseClock();
  const local = performance.now();
  clock.observe(5_000, local - 20, local);
  const first = clock.now();
  expect(first).toBeGreaterThanOrEqual(5_000);
  expect(first).toBeLessThan(5_000 + 20 + 1_000);
  clock.observe(9_000_000, performance.now() - 1, performance.now());
  const ahead = clock.now();
  expect(ahead).toBeGreaterThanOrEqual(9_000_000 - 1);
  clock.observe(8_000_000, performance.now() - 1, performance.now());
  expect(clock.now()).toBeGreaterThanOrEqual(ahead);
});

const address = await postgresAddress();

describe.skipIf(address === undefined)('a server', () => {
  const server = address ?? '';

  test('numbers are numbers, values travel bound, and a refused transaction leaves nothing', async () => {
    const database = await freshDatabase(server);
    const { rows } = await database.query('SELECT $1::text AS text, 9007199254740991::bigint AS most', ["'; --"]);
    expect(rows).toEqual([{ text: "'; --", most: 9_007_199_254_740_991 }]);
    const failing = database.transaction(async (queries) => {
      await queries.query('UPDATE head SET seq = 7');
      throw new TroupeError('wrong_status');
    });
    await expect(failing).rejects.toMatchObject({ code: 'wrong_status' });
    expect((await database.query('SELECT seq FROM head')).rows).toEqual([{ seq: 0 }]);
  });

  test('whoever comes while the last user leaves has connections', async () => {
    const project = freshProject(server);
    const first = await PostgresDatabase.of(server, project);
    const coming = PostgresDatabase.of(server, project);
    await first.close();
    await first.close();
    const second = await coming;
    expect((await second.query<{ one: number }>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await second.close();
    await expect(PostgresDatabase.of('postgresql://nowhere', project)).rejects.toMatchObject({ code: 'bad_input' });
  });

  test('a connection that is ended, idle or at work, ends no process, and the next statement has another', async () => {
    const database = await freshDatabase(server);
    const other = await PostgresDatabase.of(`${server}&sslmode=verify-full`, database.schema.slice('troupe_'.length));
    const end = (pid: number) => other.query('SELECT pg_terminate_backend($1)', [pid]);
    const own = async () => (await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid ?? 0;
    const idle = await own();
    await end(idle);
    const ended = database.transaction(async (queries) => {
      const { rows } = await queries.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await end(rows[0]?.pid ?? 0);
      await queries.query('SELECT 1');
    });
    await expect(ended).rejects.toMatchObject({ code: 'database_away', details: { retriable: true } });
    expect(await own()).not.toBe(idle);
    await other.close();
  });

  test('refusals of the server have their codes, without its address', async () => {
    const place = new URL(server);
    const failing = async (change: (url: URL) => void) => {
      const url = new URL(place);
      change(url);
      const database = await PostgresDatabase.of(url.href, 'nowhere');
      const error: unknown = await database.query('SELECT 1').catch((error: unknown) => error);
      await database.close();
      expect(JSON.stringify([error, (error as Error).message])).not.toContain(place.searchParams.get('host') ?? '…');
      return (error as TroupeError).code;
    };
    expect([
      await failing((url) => {
        url.pathname = '/missing';
      }),
      await failing((url) => url.searchParams.set('host', '/nowhere')),
      await failing((url) => {
        url.username = 'nobody';
      }),
    ]).toEqual(['not_found', 'database_away', 'database_refused']);
  });

  test('tables are made once, by one of many, and steps are known by their hashes', async () => {
    const project = freshProject(server);
    const databases = await Promise.all([1, 2, 3].map(() => PostgresDatabase.of(server, project)));
    const [database] = databases;
    if (database === undefined) throw new Error('there is one');
    await expect(refuseOtherSchema(database, MIGRATIONS)).rejects.toMatchObject({ code: 'not_initialized' });
    const made = await Promise.all(databases.map((one) => migrateDatabase(one, MIGRATIONS)));
    expect(made.filter(({ created }) => created)).toHaveLength(1);
    await refuseOtherSchema(database, MIGRATIONS);

    const more = room();
    cpSync(MIGRATIONS, more, { recursive: true });
    writeFileSync(
      path.join(more, '9998_more.sql'),
      'CREATE TABLE more (one integer);\nCREATE TABLE most (one integer);',
    );
    await expect(refuseOtherSchema(database, more)).rejects.toMatchObject({ code: 'database_older' });
    const broken = room();
    cpSync(more, broken, { recursive: true });
    writeFileSync(path.join(broken, '9999_broken.sql'), 'CREATE TABLE more (two integer)');
    await expect(migrateDatabase(database, broken)).rejects.toMatchObject({ code: 'internal' });
    await expect(refuseOtherSchema(database, more), 'all or nothing').rejects.toMatchObject({ code: 'database_older' });
    expect(await migrateDatabase(database, more)).toEqual({ created: false, steps: ['9998_more.sql'] });
    await refuseOtherSchema(database, more);
    await expect(refuseOtherSchema(database, MIGRATIONS)).rejects.toMatchObject({ code: 'schema_newer' });
    writeFileSync(path.join(more, '9998_more.sql'), 'CREATE TABLE other (one integer)');
    await expect(refuseOtherSchema(database, more)).rejects.toMatchObject({ code: 'migration_changed' });
    for (const one of databases) await one.close();
  });
});

function refusalOf(work: () => unknown): TroupeError {
  try {
    work();
  } catch (error) {
    if (error instanceof TroupeError && error.code === 'bad_input') return error;
  }
  throw new Error('nothing was refused');
}
