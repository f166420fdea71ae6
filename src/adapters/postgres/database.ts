/**
 * A project in a PostgreSQL database: connections, tables, the turn to write, who leads.
 * @packageDocumentation
 */
import type { Client, ClientConfig, Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import { TroupeError } from '#kernel/errors.js';
import { parseAddress } from './address.js';
import { DatabaseClock } from './clock.js';
import { connectionConfig, databaseDriver } from './connection.js';
import { databaseError, isConnectionLoss, unsure } from './errors.js';

/** Connections of one process to one project. Few statements take longer than a round trip. */
const CONNECTIONS_MOST = 4;
const IDLE_MS = 10_000;
const PROJECT = /^[a-z0-9_]{1,40}$/;

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

interface Shared {
  readonly key: string;
  readonly pool: Pool;
  readonly config: ClientConfig;
  readonly newClient: () => Client;
  readonly clock: DatabaseClock;
  users: number;
}

/** Connections that several users in this process share, by address and schema. */
const open = new Map<string, Promise<Shared>>();

/**
 * The tables of one project in a PostgreSQL database: a schema of its own, `troupe_` and the name of the project. Connects with the first
 * statement. Errors of each: `database_away`, `database_refused`, `not_found`, `not_initialized`, `locked`, `read_only`, `disk_full`.
 */
export class PostgresDatabase implements SqlQueries {
  readonly schema: string;
  readonly clock: DatabaseClock;
  private readonly shared: Shared;
  private closed = false;

  private constructor(shared: Shared, schema: string) {
    this.shared = shared;
    this.schema = schema;
    this.clock = shared.clock;
  }

  /** Errors: `bad_input` for an address or a name that is none, `database_driver_missing`. */
  static async of(address: string, project: string): Promise<PostgresDatabase> {
    if (!PROJECT.test(project))
      throw new TroupeError('bad_input', {
        what: 'The name of a project in a database has up to 40 of a-z, 0-9 and _.',
        hint: 'Choose such a name.',
      });
    const schema = `troupe_${project}`;
    const key = `${address}\n${schema}`;
    const sharing = open.get(key) ?? connect(key, address, schema);
    open.set(key, sharing);
    try {
      const shared = await sharing;
      shared.users++;
      return new PostgresDatabase(shared, schema);
    } catch (error) {
      open.delete(key);
      throw error;
    }
  }

  async query<Row>(text: string, values: readonly unknown[] = []): Promise<AnsweredRows<Row>> {
    try {
      return await this.shared.pool.query<Row & QueryResultRow>(text, [...values]);
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
    return this.shared.newClient();
  }

  /** Closes the connections when no other user is left. Safe twice. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    if (--this.shared.users > 0) return;
    open.delete(this.shared.key);
    await this.shared.pool.end();
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
      return await this.shared.pool.connect();
    } catch (error) {
      throw databaseError(error);
    }
  }
}

async function connect(key: string, address: string, schema: string): Promise<Shared> {
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
  return { key, pool, config, newClient, clock: new DatabaseClock(), users: 0 };
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
