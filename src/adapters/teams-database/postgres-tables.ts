import type { PostgresDatabase, SqlQueries } from '#adapters/postgres/database.js';
import { refuseOtherSchema } from '#adapters/postgres/schema.js';
import type { WriterTurn } from '#adapters/postgres/turn.js';
import type { Clock } from '#kernel/clock.js';
import { asTroupeError } from '#kernel/errors.js';
import type { TeamsFault } from '#ports/team-store.js';
import type { BoundStatement, Statements } from './statement.js';
import type { Tables } from './tables.js';

/** Parts of `PostgresTables`. `migrations`: absolute path of the numbered files. */
export interface PostgresTablesParts {
  readonly connect: () => Promise<PostgresDatabase>;
  /** Turn for every write, so that only the leader writes. */
  readonly turn: (database: PostgresDatabase) => Pick<WriterTurn, 'take'>;
  readonly migrations: string;
  readonly clock: Clock;
}

/**
 * Tables of teams and mail in a project's PostgreSQL schema. Connects with the first query. Errors: those of
 * `PostgresDatabase`, `not_initialized`, `database_older`, `schema_newer`, `migration_changed`, `locked`.
 */
export class PostgresTables implements Tables {
  private readonly parts: PostgresTablesParts;
  private connecting: Promise<PostgresDatabase> | undefined;

  constructor(parts: PostgresTablesParts) {
    this.parts = parts;
  }

  /** Always true: the tables are created with the project. */
  exists(): boolean {
    return true;
  }

  now(): number {
    return this.parts.clock.now();
  }

  /** Queries that see the same transactions return the same text. */
  *state(): Statements<string> {
    const text = ['SELECT pg_current_snapshot()::text AS seen'];
    return JSON.stringify(yield { text, answers: true, values: [] });
  }

  /** Reads a consistent state: one statement needs no transaction; for more, `work` is repeated in a snapshot. */
  async read<Result>(_none: Result, work: () => Statements<Result>): Promise<Result> {
    const database = await this.connected();
    const alone = work();
    const first = alone.next();
    if (first.done) return first.value;
    const second = alone.next(await rowsOf(database, first.value));
    if (second.done) return second.value;
    return await database.snapshot((queries) => ran(queries, work()));
  }

  async write<Result>(work: () => Statements<Result>): Promise<Result> {
    const { turn } = this.parts;
    return await turn(await this.connected()).take((queries) => ran(queries, work()));
  }

  async open(): Promise<void> {
    await this.connected();
  }

  /** Checks only the connection: PostgreSQL detects damaged tables itself and has its own backups. */
  async fault(): Promise<TeamsFault | undefined> {
    try {
      await (await this.connected()).query('SELECT FROM teams LIMIT 1');
      return undefined;
    } catch (error) {
      const { code, message: text } = asTroupeError(error);
      return { code: code === 'schema_newer' ? 'newer' : 'unusable', text, copy: null };
    }
  }

  async restore(): Promise<readonly string[]> {
    return [];
  }

  async close(): Promise<void> {
    const { connecting } = this;
    this.connecting = undefined;
    await (await connecting)?.close();
  }

  private connected(): Promise<PostgresDatabase> {
    this.connecting ??= this.connect();
    return this.connecting;
  }

  private async connect(): Promise<PostgresDatabase> {
    let database: PostgresDatabase | undefined;
    try {
      database = await this.parts.connect();
      await refuseOtherSchema(database, this.parts.migrations);
      return database;
    } catch (error) {
      this.connecting = undefined; // the next attempt may succeed
      await database?.close();
      throw error;
    }
  }
}

/** Runs statements to completion, each with one round trip. */
export async function ran<Result>(queries: SqlQueries, statements: Statements<Result>): Promise<Result> {
  let step = statements.next();
  while (!step.done) {
    step = statements.next(await rowsOf(queries, step.value));
  }
  return step.value;
}

/** Runs a statement with `$1`, `$2`, … between the parts of its text. */
async function rowsOf(queries: SqlQueries, { text, values }: BoundStatement): Promise<readonly unknown[]> {
  const { rows } = await queries.query(
    text.reduce((sql, piece, index) => `${sql}$${index}${piece}`),
    values,
  );
  return rows;
}
