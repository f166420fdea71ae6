/**
 * A project in a PostgreSQL database: connections, tables, the writer lock, leadership.
 * @packageDocumentation
 */
import type { Client, Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import { DATABASE_PROJECT } from '#core/settings/database.js';
import { TroupeError } from '#kernel/errors.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import { parseAddress } from './address.js';
import { DatabaseClock } from './clock.js';
import { connectionConfig, databaseDriver } from './connection.js';
import { databaseError, isConnectionLoss, unsure } from './errors.js';

/** Result of a statement. */
export interface AnsweredRows<Row> {
  readonly rows: readonly Row[];
  /** Number of rows read, written or removed. */
  readonly rowCount: number | null;
}

/** Runs statements. Values are always bound as parameters. */
export interface SqlQueries {
  query<Row>(text: string, values?: readonly unknown[]): Promise<AnsweredRows<Row>>;
}

interface Connections {
  readonly pool: Pool;
  readonly newClient: () => Client;
  readonly clock: DatabaseClock;
  readonly access: DatabaseAccess;
}

/** Access rights of the login, as far as known. */
interface DatabaseAccess {
  /** Whether the login was found to have write access. */
  writes: boolean;
}

/** Connections shared within this process. A user counts from its request on: the last earlier one may be closing. */
interface Shared {
  readonly connections: Promise<Connections>;
  users: number;
}

/** Shared connections by address and schema. */
const shares = new Map<string, Shared>();

/**
 * Tables of one project in a PostgreSQL database, in the schema `troupe_` plus its name. Connects with the first
 * statement. Errors of every statement: `database_away`, `database_refused`, `not_found`, `not_initialized`, `locked`,
 * `database_read_only`, `disk_full`.
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

  /** Opens a database. Errors: `bad_input` for an invalid address or name. */
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
      await leave().catch(() => undefined); // no connection was opened
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
   * Runs a transaction. `first`, a statement without values, is sent together with BEGIN, and `work` receives its
   * result. `work` sees unconverted driver errors, such as a unique violation. Errors: `database_unsure` if the
   * connection was lost during the commit.
   */
  async transaction<Result, Row>(
    work: (queries: SqlQueries, first: AnsweredRows<Row>) => Promise<Result>,
    first = '',
  ): Promise<Result> {
    return await this.within(`BEGIN; ${first}`, work, commit);
  }

  /** Runs `work` in a read-only transaction with a consistent snapshot. */
  async snapshot<Result>(work: (queries: SqlQueries) => Promise<Result>): Promise<Result> {
    const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
    return await this.within(begin, work, (client) => client.query('COMMIT'));
  }

  /** Creates a dedicated connection for notifications. */
  ownClient(): Client {
    return this.connections.newClient();
  }

  /** Closes the connections once no other user is left. Idempotent. */
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
      client.release(!isOver); // a connection in an unknown state is not reused
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

/** Schema name of a project. */
export function schemaOf(project: string): string {
  return `troupe_${project}`;
}

/** Runs `work` with a database and closes it afterwards. */
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

/** Iterates over `work` with a database and closes it afterwards. */
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
    max: DATABASE_LIMITS.connections,
    idleTimeoutMillis: DATABASE_LIMITS.unusedMs,
    allowExitOnIdle: true,
  });
  // Without a listener, an ended connection would end this process. Waiting callers learn of it from their statement.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const newClient = () => {
    const client = new driver.Client(config);
    client.on('error', () => undefined);
    return client;
  };
  return { pool, newClient, clock: new DatabaseClock(), access: { writes: false } };
}

/** Starts a transaction and returns the result of the last statement. Several statements return an array. */
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
    return false; // the server ends the transaction with the connection
  }
}
