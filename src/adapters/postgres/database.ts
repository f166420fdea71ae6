/**
 * A project in a PostgreSQL database: connections, tables, the writer lock, leadership.
 * @packageDocumentation
 */
import type { Client, Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import { DATABASE_PROJECT } from '#core/settings/database.js';
import { TroupeError } from '#kernel/errors.js';
import { parseAddress } from './address.js';
import { DatabaseClock } from './clock.js';
import { connectionConfig, databaseDriver } from './connection.js';
import { databaseError, isConnectionLoss, unsure } from './errors.js';

/** Connections of one process to one project. Few statements take longer than a round trip. */
const CONNECTIONS_MOST = 4;
const IDLE_MS = 10_000;

/** What a statement answers. */
export interface AnsweredRows<Row> {
  readonly rows: readonly Row[];
  /** Of those that were read, written or removed. */
  readonly rowCount: number | null;
}

/** Whatever runs statements. Values only ever travel bound. */
export interface SqlQueries {
  query<Row>(text: string, values?: readonly unknown[]): Promise<AnsweredRows<Row>>;
}

interface Connections {
  readonly pool: Pool;
  readonly newClient: () => Client;
  readonly clock: DatabaseClock;
  readonly access: DatabaseAccess;
}

/** What is known of a login at the server that it reached. */
interface DatabaseAccess {
  /** It was found out that it may change the project. */
  writes: boolean;
}

/** Connections that several users in this process share. A user counts as soon as it asks: the last one before it may be leaving. */
interface Shared {
  readonly connections: Promise<Connections>;
  users: number;
}

/** By address and schema. */
const shares = new Map<string, Shared>();

/**
 * The tables of one project in a PostgreSQL database: a schema of its own, `troupe_` and the name of the project. Connects with the first
 * statement. Errors of each: `database_away`, `database_refused`, `not_found`, `not_initialized`, `locked`, `database_read_only`, `disk_full`.
 */
export class PostgresDatabase implements SqlQueries {
  readonly schema: string;
  readonly clock: DatabaseClock;
  readonly access: DatabaseAccess;
  private readonly connections: Connections;
  private readonly leave: () => Promise<void>;
  private closed = false;

  private constructor(schema: string, connections: Connections, leave: () => Promise<void>) {
    this.schema = schema;
    this.connections = connections;
    this.clock = connections.clock;
    this.access = connections.access;
    this.leave = leave;
  }

  /** Errors: `bad_input` for an address or a name that is none. */
  static async of(address: string, project: string): Promise<PostgresDatabase> {
    if (!DATABASE_PROJECT.test(project))
      throw new TroupeError('bad_input', {
        what: 'The name of a project in a database has up to 40 of a-z, 0-9 and _, and begins with a letter.',
        hint: 'Choose such a name.',
      });
    const schema = schemaOf(project);
    const key = `${address}\n${schema}`;
    const shared = shares.get(key) ?? { connections: connect(address, schema), users: 0 };
    shares.set(key, shared);
    shared.users++;
    const leave = async () => {
      if (--shared.users > 0) return;
      shares.delete(key);
      await (await shared.connections).pool.end();
    };
    try {
      return new PostgresDatabase(schema, await shared.connections, leave);
    } catch (error) {
      await leave().catch(() => undefined); // nothing was opened
      throw error;
    }
  }

  async query<Row>(text: string, values: readonly unknown[] = []): Promise<AnsweredRows<Row>> {
    try {
      return await this.connections.pool.query<Row & QueryResultRow>(text, [...values]);
    } catch (error) {
      throw databaseError(error);
    }
  }

  /**
   * All or nothing. A `first` statement without values goes along with the beginning, and `work` gets its answer. `work` sees the errors of
   * the driver as they are, such as that of a value that is there twice. `database_unsure` when the connection was lost while it committed.
   */
  async transaction<Result, Row>(
    work: (queries: SqlQueries, first: AnsweredRows<Row>) => Promise<Result>,
    first = '',
  ): Promise<Result> {
    return await this.within(`BEGIN; ${first}`, work, commit);
  }

  /** All statements of `work` see the project at one moment. They only read. */
  async snapshot<Result>(work: (queries: SqlQueries) => Promise<Result>): Promise<Result> {
    const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
    return await this.within(begin, work, (client) => client.query('COMMIT'));
  }

  /** A connection that belongs to nobody else, for notifications. */
  ownClient(): Client {
    return this.connections.newClient();
  }

  /** Closes the connections when no other user is left. Safe twice. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.leave();
  }

  private async within<Result, Row>(
    beginning: string,
    work: (queries: SqlQueries, first: AnsweredRows<Row>) => Promise<Result>,
    end: (client: PoolClient) => Promise<unknown>,
  ): Promise<Result> {
    const client = await this.connection();
    const queries: SqlQueries = {
      query: <Row>(text: string, values: readonly unknown[] = []) =>
        client.query<Row & QueryResultRow>(text, [...values]),
    };
    let isOver = false;
    try {
      const result = await work(queries, await begin<Row>(client, beginning));
      await end(client);
      isOver = true;
      return result;
    } catch (error) {
      isOver = await isRolledBack(client, error);
      throw databaseError(error);
    } finally {
      client.release(!isOver); // one in an unknown state serves nobody
    }
  }

  private async connection(): Promise<PoolClient> {
    try {
      return await this.connections.pool.connect();
    } catch (error) {
      throw databaseError(error);
    }
  }
}

/** The schema of a project of this name. */
export function schemaOf(project: string): string {
  return `troupe_${project}`;
}

/** Work on a connection that is closed when it is done. */
export async function withDatabase<Result>(
  open: () => Promise<PostgresDatabase>,
  work: (database: PostgresDatabase) => Promise<Result>,
): Promise<Result> {
  const database = await open();
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** The same for what comes one by one. */
export async function* eachWithDatabase<Item>(
  open: () => Promise<PostgresDatabase>,
  work: (database: PostgresDatabase) => AsyncIterable<Item>,
): AsyncIterable<Item> {
  const database = await open();
  try {
    yield* work(database);
  } finally {
    await database.close();
  }
}

async function connect(address: string, schema: string): Promise<Connections> {
  const parsed = parseAddress(address);
  const driver = await databaseDriver();
  const config = connectionConfig(driver, parsed, schema);
  const pool = new driver.Pool({
    ...config,
    ...{ max: CONNECTIONS_MOST, idleTimeoutMillis: IDLE_MS, allowExitOnIdle: true },
  });
  // Without a listener the end of a connection would end this process. Whoever waits for an answer is told by its statement.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const newClient = () => {
    const client = new driver.Client(config);
    client.on('error', () => undefined);
    return client;
  };
  return { pool, newClient, clock: new DatabaseClock(), access: { writes: false } };
}

/** Begins; answers the last of these statements. Several in one text are answered by a list. */
async function begin<Row>(client: PoolClient, statements: string): Promise<AnsweredRows<Row>> {
  const answers: unknown = await client.query(statements);
  return (Array.isArray(answers) ? answers.at(-1) : answers) as AnsweredRows<Row>;
}

async function commit(client: PoolClient): Promise<void> {
  let answer: QueryResult;
  try {
    answer = await client.query('COMMIT');
  } catch (error) {
    throw isConnectionLoss(error) ? unsure(error) : error;
  }
  if (answer.command !== 'COMMIT') throw new TroupeError('internal', { what: 'A transaction was not committed.' });
}

async function isRolledBack(client: PoolClient, error: unknown): Promise<boolean> {
  if (isConnectionLoss(error) || (error instanceof TroupeError && error.code === 'database_unsure')) return false;
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    return false; // its server ends the transaction with the connection
  }
}
