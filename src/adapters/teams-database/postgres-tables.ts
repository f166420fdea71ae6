import type { PostgresDatabase, SqlQueries } from '#adapters/postgres/database.js';
import { refuseOtherSchema } from '#adapters/postgres/schema.js';
import type { WriterTurn } from '#adapters/postgres/turn.js';
import type { Clock } from '#kernel/clock.js';
import { asTroupeError } from '#kernel/errors.js';
import type { TeamsFault } from '#ports/team-store.js';
import type { Asked, Statements } from './statement.js';
import type { Tables } from './tables.js';

/** Parts of `PostgresTables`; `migrations` is the absolute path of the numbered files. */
export interface PostgresTablesParts {
  readonly connect: () => Promise<PostgresDatabase>;
  /** Every write takes it, so that beside a leader nobody else writes. */
  readonly turn: (database: PostgresDatabase) => Pick<WriterTurn, 'take'>;
  readonly migrations: string;
  readonly clock: Clock;
}

/**
 * The tables of teams and mail in a project's schema of a PostgreSQL database. Connects with the first question. Errors: those of
 * `PostgresDatabase`, `not_initialized`, `database_older`, `schema_newer`, `migration_changed`, `locked`.
 */
export class PostgresTables implements Tables {
  private readonly parts: PostgresTablesParts;
  private connecting: Promise<PostgresDatabase> | undefined;

  constructor(parts: PostgresTablesParts) {
    this.parts = parts;
  }

  /** Whoever made the project made its tables. */
  exists(): boolean {
    return true;
  }

  now(): number {
    return this.parts.clock.now();
  }

  /** Two looks that see the same transactions see the same rows. */
  *state(): Statements<string> {
    const text = ['SELECT pg_current_snapshot()::text AS seen'];
    return JSON.stringify(yield { text, answers: true, values: [] });
  }

  /** Answers from one moment, however many statements that takes. Most take one, which needs no transaction to itself. */
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

  /** Whether tables are damaged, PostgreSQL says itself; it keeps its own copies. */
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
      this.connecting = undefined; // what stood in the way may be gone the next time
      await database?.close();
      throw error;
    }
  }
}

/** Runs statements to their end, each a round trip. */
export async function ran<Result>(queries: SqlQueries, statements: Statements<Result>): Promise<Result> {
  let step = statements.next();
  while (!step.done) {
    step = statements.next(await rowsOf(queries, step.value));
  }
  return step.value;
}

/** With `$1` and so on between the pieces of the text. */
async function rowsOf(queries: SqlQueries, { text, values }: Asked): Promise<readonly unknown[]> {
  const { rows } = await queries.query(
    text.reduce((sql, piece, index) => `${sql}$${index}${piece}`),
    values,
  );
  return rows;
}
