import path from 'node:path';
import { MailTables } from '#adapters/mail/mail-tables.js';
import { OutboxTable } from '#adapters/mail/outbox-table.js';
import { InboxTables } from '#adapters/teams/inbox-tables.js';
import { TeamTables } from '#adapters/teams/team-tables.js';
import { type Database, databaseState, openDatabase } from '#adapters/teams-database/database.js';
import { migrate } from '#adapters/teams-database/migrations.js';
import type { Statements } from '#adapters/teams-database/statement.js';
import type { Tables } from '#adapters/teams-database/tables.js';
import type { Clock } from '#kernel/clock.js';

const MIGRATIONS = path.resolve(import.meta.dirname, '../data/teams');

/** The tables of `teams.db` in memory, for tests that need no disk. */
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

  async read<Result>(none: Result, work: () => Statements<Result>): Promise<Result> {
    return this.opened === undefined ? none : (await this.opened).runStatements(work());
  }

  async write<Result>(work: () => Statements<Result>): Promise<Result> {
    const database = await this.connected();
    return database.transaction(() => database.runStatements(work()));
  }

  state(): Statements<string> {
    return databaseState();
  }

  async open(): Promise<void> {
    await this.connected();
  }

  async fault(): Promise<undefined> {
    return undefined;
  }

  async restore(): Promise<readonly string[]> {
    return [];
  }

  /** Discards all tables. */
  async close(): Promise<void> {
    this.opened = undefined;
  }

  private connected(): Promise<Database> {
    this.opened ??= this.made();
    return this.opened;
  }

  private async made(): Promise<Database> {
    const database = await openDatabase(':memory:');
    database.script(`PRAGMA foreign_keys = ON; BEGIN; ${await schema()}; COMMIT`);
    return database;
  }
}

let known: Promise<string> | undefined;

/** Schema that the migrations produce. Creating it directly takes a third of the time of all steps. */
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
    mail: new MailTables(tables),
    outbox: new OutboxTable(tables),
    teamInbox: new InboxTables(tables),
    teams: new TeamTables(tables),
    tables,
  };
}
