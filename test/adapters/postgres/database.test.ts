import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { migrationsIn } from '#adapters/disk/migration-files.js';
import { isOnThisMachine, parseAddress, shownAddress } from '#adapters/postgres/address.js';
import { DatabaseClock } from '#adapters/postgres/clock.js';
import { connectionConfig, databaseDriver } from '#adapters/postgres/connection.js';
import { eachWithDatabase, PostgresDatabase, type SqlQueries, withDatabase } from '#adapters/postgres/database.js';
import { databaseError, isConnectionLoss, unsure } from '#adapters/postgres/errors.js';
import { emptyRetired, migrateDatabase, refuseOtherSchema } from '#adapters/postgres/schema.js';
import { presentStandbys } from '#adapters/postgres/standbys.js';
import { databaseStanding } from '#adapters/postgres/standing.js';
import { TroupeError } from '#kernel/errors.js';
import { freshDatabase, freshProject, MIGRATIONS, postgresAddress } from '../../postgres.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { CutLine } from '../store/postgres/cut-line.js';

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

  test('are shown without credentials', () => {
    const shown = (text: string) => shownAddress(parseAddress(text));
    expect([
      shown(`postgresql://ann:${SECRET}@db.example:6000/teams`),
      shown('postgresql://ann@[fe80::1]/teams?sslmode=verify-full'),
      shown('postgresql://ann@localhost/teams?host=/run/postgresql'),
    ]).toEqual(['db.example:6000/teams', '[fe80::1]:5432/teams', '/run/postgresql/teams']);
    const near = (host: string) => isOnThisMachine({ host });
    expect(['1.127.0.0.1', '127.0.0.1.example', 'localhost.example', '::2', ''].map(near)).toEqual(
      Array(5).fill(false),
    );
  });

  test('carry everything a connection needs', async () => {
    const driver = await databaseDriver();
    vi.stubEnv('PGPASSWORD', 'kept');
    onTestFinished(() => void vi.unstubAllEnvs());
    const local = parseAddress('postgresql://ann@127.0.0.1/teams');
    const { types, ...config } = connectionConfig(driver, local, 'troupe_x');
    expect(config).toEqual({
      ...{ host: '127.0.0.1', port: 5432, database: 'teams', user: 'ann', password: 'kept', ssl: false },
      application_name: 'troupe',
      options:
        '-c search_path=troupe_x -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3',
      ...{ statement_timeout: 30_000, idle_in_transaction_session_timeout: 10_000, connectionTimeoutMillis: 10_000 },
      ...{ query_timeout: 40_000, keepAlive: true, keepAliveInitialDelayMillis: 5_000 },
    });
    expect(types?.getTypeParser(20, 'text')('12')).toBe(12);
    expect(types?.getTypeParser(21, 'text')('12')).toBe(12);
    expect(types?.getTypeParser(25, 'text')('12')).toBe('12');
    const withPassword = parseAddress('postgresql://ann:own@127.0.0.1/teams');
    expect(connectionConfig(driver, withPassword, 'x').password).toBe('own');
    const file = path.join(room(), 'ca.pem');
    const far = parseAddress(`postgresql://ann@db.example/teams?sslrootcert=${file}`);
    expect(() => connectionConfig(driver, far, 'x')).toThrow(expect.objectContaining({ code: 'unreadable' }));
    writeFileSync(file, 'trusted');
    expect(connectionConfig(driver, far, 'x').ssl).toMatchObject({ ca: 'trusted' });
    const withoutAuthorities = parseAddress('postgresql://ann@db.example/teams');
    expect(connectionConfig(driver, withoutAuthorities, 'x').ssl).not.toHaveProperty('ca');
  });

  test.each([
    ['mysql://ann@host/teams', 'postgresql://'],
    [`ann:${SECRET}@host`, 'postgresql://'],
    ['postgresql://ann@host/one/two', 'no database'],
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
    const ssl = async (place: string) => connectionConfig(driver, parseAddress(`postgresql://ann@${place}`), 'x').ssl;
    const near = [
      'localhost/teams',
      '127.0.0.1/teams',
      '127.3.2.1/teams',
      '[::1]/teams',
      'far/teams?host=/run/postgresql',
    ];
    expect(await Promise.all(near.map(ssl))).toEqual([false, false, false, false, false]);
    const far = (await ssl('10.1.2.3/teams')) as {
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
    const { retriable } = error.details;
    return [code, error.code, ...(code === '' ? [] : [error.message, error.hint]), retriable];
  };
  const codes = ['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', '57P01', '57P03', '08006'];
  const more = ['53300', '28P01', '28000', '3D000', '42501', '42P01', '42883', '3F000', '25006', '53100', '40001'];
  const most = ['40P01', '55P03', '57014', '25P03', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', '53200'];
  expect([...codes, ...more, ...most].map((code) => said(code))).toMatchInlineSnapshot(`
    [
      [
        "ECONNREFUSED",
        "database_away",
        "The database cannot be reached: nothing was changed.",
        "Try again in a moment.",
        true,
      ],
      [
        "ENOENT",
        "database_away",
        "The database cannot be reached: nothing was changed.",
        "Try again in a moment.",
        true,
      ],
      [
        "ENOTFOUND",
        "database_away",
        "The database cannot be reached: nothing was changed.",
        "Check the host in the address, and the network.",
        true,
      ],
      [
        "EHOSTUNREACH",
        "database_away",
        "The database cannot be reached: nothing was changed.",
        "Check the host in the address, and the network.",
        true,
      ],
      [
        "ENETUNREACH",
        "database_away",
        "The database cannot be reached: nothing was changed.",
        "Check the host in the address, and the network.",
        true,
      ],
      [
        "57P01",
        "database_away",
        "The database cannot be reached: nothing was changed.",
        "Try again in a moment.",
        true,
      ],
      [
        "57P03",
        "database_away",
        "The database cannot be reached: nothing was changed.",
        "Try again in a moment.",
        true,
      ],
      [
        "08006",
        "database_away",
        "The database cannot be reached: nothing was changed.",
        "Try again in a moment.",
        true,
      ],
      [
        "53300",
        "database_away",
        "The database has too many connections: nothing was changed.",
        "Try again in a moment.",
        true,
      ],
      [
        "28P01",
        "database_refused",
        "The database refuses the name or the password.",
        "Correct the name in the address, or the password in ~/.pgpass.",
        false,
      ],
      [
        "28000",
        "database_refused",
        "The database does not let this user in from here.",
        "Correct the address.",
        false,
      ],
      [
        "3D000",
        "not_found",
        "There is no such database on the server.",
        "Correct the address, or create the database.",
        false,
      ],
      [
        "42501",
        "database_refused",
        "The database does not grant its user what this needs: nothing was changed.",
        "Ask whoever runs the database.",
        false,
      ],
      [
        "42P01",
        "not_initialized",
        "The project is not in this database.",
        "Check the name of the project.",
        false,
      ],
      [
        "42883",
        "database_older",
        "The project in the database was made by an older version of Troupe: nothing was changed.",
        "Bring it up to date.",
        false,
      ],
      [
        "3F000",
        "not_initialized",
        "The project is not in this database.",
        "Check the name of the project.",
        false,
      ],
      [
        "25006",
        "database_read_only",
        "The database can only be read: nothing was changed.",
        "Choose the primary server with \`troupe database use ADDRESS\`.",
        true,
      ],
      [
        "53100",
        "disk_full",
        "The disk of the database is full: nothing was changed.",
        "Free some space on its server.",
        true,
      ],
      [
        "40001",
        "locked",
        "The database was busy for too long: nothing was changed.",
        "Try again in a moment.",
        true,
      ],
      [
        "40P01",
        "locked",
        "The database was busy for too long: nothing was changed.",
        "Try again in a moment.",
        true,
      ],
      [
        "55P03",
        "locked",
        "The database was busy for too long: nothing was changed.",
        "Try again in a moment.",
        true,
      ],
      [
        "57014",
        "locked",
        "The database was busy for too long: nothing was changed.",
        "Try again in a moment.",
        true,
      ],
      [
        "25P03",
        "locked",
        "The database was busy for too long: nothing was changed.",
        "Try again in a moment.",
        true,
      ],
      [
        "CERT_HAS_EXPIRED",
        "database_refused",
        "The database does not prove who it is: its certificate is missing, not trusted or for another name.",
        "Name the file of its certificate authority in the address: ?sslrootcert=FILE.",
        false,
      ],
      [
        "ERR_TLS_CERT_ALTNAME_INVALID",
        "database_refused",
        "The database does not prove who it is: its certificate is missing, not trusted or for another name.",
        "Name the file of its certificate authority in the address: ?sslrootcert=FILE.",
        false,
      ],
      [
        "53200",
        "database_away",
        "The database cannot be reached: nothing was changed.",
        "Try again in a moment.",
        true,
      ],
    ]
  `);
  const statement = databaseError(Object.assign(new Error(`no such column ${'x'.repeat(600)}`), { code: '42703' }));
  expect(statement).toMatchObject({ code: 'internal', why: expect.stringContaining('42703: no such column x') });
  expect((statement as TroupeError).why?.length).toBeLessThan(600);
  const other = { code: '42P01' };
  expect(databaseError(other), 'what is no error stays what it is').toBe(other);
  const own = new TroupeError('wrong_status');
  expect(databaseError(own)).toBe(own);
  const lost = unsure(Object.assign(new Error('x'), { code: '57P01' }));
  expect([lost.code, lost.details]).toEqual(['database_unsure', { retriable: true }]);
  expect([lost.why, unsure(new Error('x')).why]).toEqual(['57P01', undefined]);
  expect(said('', 'Connection terminated unexpectedly')).toEqual(['', 'database_away', true]);
  expect(said('', 'The server does not support SSL connections')).toEqual(['', 'database_refused', false]);
  expect(said('', 'something else')).toEqual(['', 'unknown']);
  expect(isConnectionLoss(Object.assign(new Error('x'), { code: '23505' }))).toBe(false);
  expect(isConnectionLoss(Object.assign(new Error('Query read timeout'), { code: '23505' }))).toBe(false);
  expect([new Error('Query read timeout'), new Error('x'), 'timeout'].map(isConnectionLoss)).toEqual([
    true,
    false,
    false,
  ]);
});

verifies('fleet.clock', 'the clock of the database is corrected by round trips, and never goes back', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  vi.advanceTimersByTime(700);
  const clock = new DatabaseClock();
  const at = performance.now();
  clock.observe(0, at, at);
  expect(clock.now()).toBe(0);
  const other = new DatabaseClock();
  other.observe(5_000, at - 20, at);
  expect(other.now(), 'half of the first round trip').toBe(5_010);
  other.observe(5_000, at - 20, at - 1);
  expect(other.now(), 'nothing contradicts it').toBe(5_010);
  other.observe(6_000, at - 30, at);
  expect(other.now(), 'no earlier than the answer was written').toBe(6_000);
  other.observe(4_000, at - 30, at);
  expect(other.now()).toBe(6_000);
  vi.advanceTimersByTime(2_500);
  expect(other.now(), 'no later than the query was sent').toBe(4_000 + 30 + 2_500);
  const local = new DatabaseClock().now();
  expect(Math.abs(local - (performance.timeOrigin + performance.now()))).toBeLessThanOrEqual(1);
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

  test('a snapshot sees one moment and writes nothing', async () => {
    const database = await freshDatabase(server);
    const seen = await database.snapshot(async (queries) => {
      await queries.query('SELECT seq FROM head');
      await database.query('UPDATE head SET seq = 4');
      return (await queries.query<{ seq: number }>('SELECT seq FROM head')).rows;
    });
    expect([seen, (await database.query('SELECT seq FROM head')).rows]).toEqual([[{ seq: 0 }], [{ seq: 4 }]]);
    const writing = database.snapshot((queries) => queries.query('UPDATE head SET seq = 5'));
    await expect(writing).rejects.toMatchObject({ code: 'database_read_only' });
    const first = await database.transaction<unknown, { seq: number }>(
      async (_queries, { rows }) => rows,
      'SELECT seq FROM head',
    );
    expect(first).toEqual([{ seq: 4 }]);
  });

  test('a refused statement leaves its connection usable, one in an unknown state is not used again', async () => {
    const line = await CutLine.to(server);
    const project = freshProject(server);
    const database = await PostgresDatabase.of(line.address, project);
    onTestFinished(() => database.close());
    const pid = (queries: SqlQueries) =>
      queries.query<{ pid: number }>('SELECT pg_backend_pid() AS pid').then(({ rows }) => rows[0]?.pid);
    const first = await pid(database);
    await expect(database.transaction((queries) => queries.query('SELECT 1 / 0'))).rejects.toThrow();
    expect([await database.transaction(pid), await pid(database)]).toEqual([first, first]);
    line.breakAtCommit('after');
    await expect(database.transaction(pid)).rejects.toMatchObject({ code: 'database_unsure' });
    expect(await pid(database)).not.toBe(first);
    line.breakAtCommit('before', true);
    await expect(database.snapshot(pid)).rejects.toMatchObject({ code: 'database_away' });
    await expect(database.transaction(pid)).rejects.toMatchObject({ code: 'database_away' });
  });

  test('a database opened for one piece of work is closed after it', async () => {
    const project = freshProject(server);
    let opened: PostgresDatabase | undefined;
    const open = async () => {
      opened = await PostgresDatabase.of(server, project);
      return opened;
    };
    const one = (database: PostgresDatabase) => database.query<{ one: number }>('SELECT 1 AS one');
    const isClosed = async () => {
      if (opened) await expect(one(opened)).rejects.toMatchObject({ code: 'database_away' });
    };
    expect((await withDatabase(open, one)).rows).toEqual([{ one: 1 }]);
    await isClosed();
    const items: number[] = [];
    const each = eachWithDatabase(open, async function* (database) {
      yield* (await one(database)).rows;
    });
    for await (const item of each) items.push(item.one);
    expect(items).toEqual([1]);
    await isClosed();
    await expect(withDatabase(open, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await isClosed();
  });

  verifies(
    'fleet.db',
    'the state of a project in its database is known also while its tables are missing',
    async () => {
      const database = await PostgresDatabase.of(server, freshProject(server));
      onTestFinished(() => database.close());
      const { server: version, ...none } = await databaseStanding(database, MIGRATIONS);
      expect(version).toMatch(/^[0-9]+([.][0-9]+|[a-z]+[0-9]+)?$/);
      const rest = { epoch: 0, leader: undefined, reading: undefined };
      expect(none).toEqual({ tables: 'none', state: 'none', seq: 0, ...rest });
      const { created, steps } = await migrateDatabase(database, MIGRATIONS);
      expect({ created, steps }).toEqual({ created: true, steps: readdirSync(MIGRATIONS).sort() });
      const { rows } = await database.query('SELECT version, name, sha256 FROM migrations ORDER BY version');
      expect(rows).toEqual(migrationsIn(MIGRATIONS).map(({ version, name, sha256 }) => ({ version, name, sha256 })));
      await database.query(
        "UPDATE head SET seq = 7, epoch = 2, leader = 'box', lease_until = clock_timestamp() + interval '1 h'",
      );
      const current = { server: version, tables: 'current', state: 'empty', seq: 7, epoch: 2, reading: undefined };
      expect(await databaseStanding(database, MIGRATIONS)).toEqual({ ...current, leader: 'box' });
      await database.query('UPDATE head SET lease_until = clock_timestamp()');
      expect(await databaseStanding(database, MIGRATIONS)).toEqual({ ...current, leader: undefined });
      const more = room();
      cpSync(MIGRATIONS, more, { recursive: true });
      writeFileSync(path.join(more, '9998_more.sql'), 'SELECT 1');
      expect(await databaseStanding(database, more)).toMatchObject({ tables: 'older', state: 'empty' });
      await expect(databaseStanding(database, room())).rejects.toMatchObject({ code: 'schema_newer' });
      await database.query(
        `INSERT INTO standbys (who, seen_at) SELECT who, clock_timestamp() - age * interval '1 s'
       FROM (VALUES ('late', 60), ('b', 1), ('a', 5)) AS given (who, age)`,
      );
      expect(await presentStandbys(database)).toEqual(['a', 'b']);
    },
  );

  test('tables of a project that was moved elsewhere are emptied, those in use are not', async () => {
    const database = await freshDatabase(server);
    const add = () => database.query("INSERT INTO standbys (who) VALUES ('box')");
    const count = async () => (await database.query('SELECT FROM standbys')).rowCount;
    await add();
    await database.query("UPDATE head SET seq = 3, last_id = 'x'");
    await emptyRetired(database);
    expect(await count()).toBe(1);
    await database.query("UPDATE head SET state = 'retired'");
    await emptyRetired(database);
    expect(await count()).toBe(0);
    expect((await database.query('SELECT state, seq, last_id FROM head')).rows).toEqual([
      { state: 'empty', seq: 0, last_id: null },
    ]);
    await refuseOtherSchema(database, MIGRATIONS);
  });

  test('a database that keeps its text in another encoding is refused', async () => {
    const name = freshProject(server);
    const administrator = await PostgresDatabase.of(server, name);
    await administrator.query(
      `CREATE DATABASE ${name} ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
    );
    const url = new URL(server);
    url.pathname = `/${name}`;
    const database = await PostgresDatabase.of(url.href, name);
    await expect(migrateDatabase(database, MIGRATIONS)).rejects.toMatchObject({
      code: 'database_refused',
      message: expect.stringContaining('UTF-8'),
    });
    await database.close();
    await administrator.query(`DROP DATABASE ${name}`);
    await administrator.close();
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
