import path from 'node:path';
import { SqliteMailStore } from '#adapters/mail/sqlite-mail-store.js';
import { SqliteOutbox } from '#adapters/mail/sqlite-outbox.js';
import { SqliteTeamInbox } from '#adapters/team-inbox/sqlite-team-inbox.js';
import { SqliteTeamStore } from '#adapters/teams/sqlite-team-store.js';
import { type Database, openDatabase } from '#adapters/teams-database/database.js';
import { migrate } from '#adapters/teams-database/migrations.js';
import type { Tables } from '#adapters/teams-database/tables.js';
import type { Clock } from '#kernel/clock.js';

const MIGRATIONS = path.resolve(import.meta.dirname, '../data/teams');

/** The tables of `teams.db` as long as this process lives, for tests that need no disk. */
export class TablesInMemory implements Tables {
  private opened: Promise<Database> | undefined;
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  exists(): boolean {
    return this.opened !== undefined;
  }

  now(): number {
    return this.clock.now();
  }

  async read<Result>(none: Result, work: (database: Database) => Result): Promise<Result> {
    return this.opened === undefined ? none : work(await this.opened);
  }

  async write<Result>(work: (database: Database) => Result): Promise<Result> {
    this.opened ??= this.open();
    const database = await this.opened;
    return database.transaction(() => work(database));
  }

  async fault(): Promise<undefined> {
    return undefined;
  }

  async restore(): Promise<readonly string[]> {
    return [];
  }

  /** All of it is gone then. */
  async close(): Promise<void> {
    this.opened = undefined;
  }

  private async open(): Promise<Database> {
    const database = await openDatabase(':memory:');
    database.script(`PRAGMA foreign_keys = ON; BEGIN; ${await schema()}; COMMIT`);
    return database;
  }
}

let known: Promise<string> | undefined;

/** The tables as the migrations leave them: to create these takes a third of what all steps take. */
function schema(): Promise<string> {
  known ??= openDatabase(':memory:').then((database) => {
    migrate(database, { folder: MIGRATIONS, file: ':memory:', now: () => 0 });
    const rows = database.all(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type = 'table' DESC, rowid",
    );
    return rows.map(({ sql }) => String(sql)).join(';\n');
  });
  return known;
}

/** Stores that share tables in memory, as those of a project share a file. */
export function storesInMemory(clock: Clock = { now: () => 1_000 }) {
  const tables = new TablesInMemory(clock);
  return {
    mail: new SqliteMailStore(tables),
    outbox: new SqliteOutbox(tables),
    teamInbox: new SqliteTeamInbox(tables),
    teams: new SqliteTeamStore(tables),
    tables,
  };
}
