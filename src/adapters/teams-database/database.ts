import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { freshId, sha256 } from '#kernel/hash.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, inert } from '#kernel/text.js';

type Value = string | number | null | Uint8Array;
export type Row = Readonly<Record<string, unknown>>;

interface Statement {
  all(...values: Value[]): unknown[];
  run(...values: Value[]): unknown;
}

/** What the two libraries have in common. */
interface Connection {
  readonly exec: (sql: string) => unknown;
  prepare(sql: string): Statement;
  close(): unknown;
}

/** One SQLite database, whichever library opens it. Values only ever travel bound. */
export class Database {
  private readonly connection: Connection;
  /** Prepared once: what is asked is asked again and again. */
  private readonly statements = new Map<string, Statement>();

  constructor(connection: Connection) {
    this.connection = connection;
  }

  script(sql: string): void {
    withDiskErrors(() => this.connection.exec(sql));
  }

  all(sql: string, ...values: Value[]): Row[] {
    return withDiskErrors(() => this.prepared(sql).all(...values) as Row[]);
  }

  run(sql: string, ...values: Value[]): void {
    withDiskErrors(() => this.prepared(sql).run(...values));
  }

  private prepared(sql: string): Statement {
    const kept = this.statements.get(sql);
    if (kept) return kept;
    const statement = this.connection.prepare(sql);
    if (this.statements.size < LIMITS.preparedStatements) this.statements.set(sql, statement);
    return statement;
  }

  /** All or nothing, one writer at a time; an error inside leaves the database as it was, and usable. */
  transaction<Result>(work: () => Result): Result {
    this.begin();
    try {
      const result = work();
      this.script('COMMIT');
      return result;
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  /**
   * SQLite looks again ever more seldom while somebody else writes, and among several who write without a pause one of them may
   * find no gap for all its patience. So we look again ourselves, every few milliseconds.
   */
  private begin(): void {
    const until = performance.now() + BUSY_MS;
    this.script('PRAGMA busy_timeout = 0');
    try {
      for (let tries = 0; ; tries++) {
        try {
          this.script('BEGIN IMMEDIATE');
          return;
        } catch (error) {
          if (!isBusy(error) || performance.now() > until) throw error;
          // Not all in one step: those who wait have different numbers.
          Atomics.wait(PAUSE, 0, 0, 1 + ((process.pid + tries) % 4));
        }
      }
    } finally {
      this.script(`PRAGMA busy_timeout = ${BUSY_MS}`);
    }
  }

  private rollBack(): void {
    try {
      this.script('ROLLBACK');
    } catch (error) {
      // On a full disk SQLite has done so itself.
      if (!(error instanceof Error) || !error.message.includes('no transaction is active')) throw error;
    }
  }

  close(): void {
    this.connection.close();
  }
}

/** How long one waits for whoever writes. */
export const BUSY_MS = 5_000;
/** Nobody ever wakes it: it is waited at for a time. */
const PAUSE = new Int32Array(new SharedArrayBuffer(4));

export function isBusy(error: unknown): boolean {
  const { message, code } = error as { readonly message?: string; readonly code?: unknown };
  return message?.includes('database is locked') === true || String(code ?? '').includes('SQLITE_BUSY');
}

/** What SQLite says where there is no room left: it is full, or a write did not reach the disk. */
const NO_ROOM = /database or disk is full|disk I\/O error/;

/** A full disk has the same code here as everywhere else. */
function withDiskErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || !NO_ROOM.test(error.message)) throw error;
    throw new TroupeError('disk_full', { what: `teams.db could not be written: ${error.message}.`, cause: error });
  }
}

/** Opens a file with the SQLite of Node where it has one, else with the library that is installed beside us. */
export async function openDatabase(file: string): Promise<Database> {
  const own = nodeSqlite();
  if (own) return new Database(new own.DatabaseSync(file));
  let library: { default: new (file: string) => Connection };
  try {
    library = await import('libsql');
  } catch (error) {
    throw new TroupeError('sqlite_missing', { cause: error });
  }
  return new Database(new library.default(file));
}

interface NodeSqlite {
  readonly DatabaseSync: new (file: string) => Connection;
}

/** Node says with each first use that its SQLite is new. Whoever types a command can do nothing about that. */
function nodeSqlite(): NodeSqlite | undefined {
  const warn = process.emitWarning;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
  } finally {
    process.emitWarning = warn;
  }
}

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

/**
 * Brings a database up to what this version knows: each numbered file once, with its hash recorded, all of them in one
 * transaction, so that whoever opens it meanwhile sees none of them or all. A database of a newer version is not touched;
 * before an older one is changed it is copied beside itself.
 */
export function migrate(database: Database, places: { folder: string; file: string; now: () => number }): void {
  const migrations = migrationsIn(places.folder);
  const newest = migrations.at(-1)?.version ?? 0;
  if (userVersion(database) > newest) throw new TroupeError('schema_newer');
  database.script(
    'CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT',
  );
  const before = applied(database);
  for (const [version, hash] of before) {
    const mine = migrations.find((migration) => migration.version === version);
    if (mine && mine.sha256 === hash) continue;
    throw new TroupeError('migration_changed', {
      what: `Step ${version} of teams.db is not the one this version knows.`,
    });
  }
  if (before.size === migrations.length) return;
  const earlier = `${places.file}.before-${newest}`;
  const draft = `${earlier}.${freshId()}`; // others may be copying it too
  if (before.size > 0) copy(database, draft);
  try {
    database.transaction(() => {
      const done = applied(database);
      if (done.size === migrations.length) return; // another process was first, and the copy is its
      if (before.size > 0) renameSync(draft, earlier);
      for (const { version, name, sql, sha256: hash } of migrations) {
        if (done.has(version)) continue;
        database.script(sql);
        database.run('INSERT INTO migrations VALUES (?, ?, ?, ?)', version, name, hash, places.now());
        database.script(`PRAGMA user_version = ${version}`);
      }
    });
  } finally {
    rmSync(draft, { force: true });
  }
}

function applied(database: Database): Map<number, string> {
  const rows = database.all('SELECT version, sha256 FROM migrations ORDER BY version');
  return new Map(rows.map(({ version, sha256: hash }) => [Number(version), String(hash)]));
}

function userVersion(database: Database): number {
  return Number(database.all('PRAGMA user_version')[0]?.['user_version'] ?? 0);
}

function copy(database: Database, file: string): void {
  rmSync(file, { force: true });
  database.run('VACUUM INTO ?', file);
}

function migrationsIn(folder: string): Migration[] {
  const names = readdirSync(folder).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name));
  return names.sort().map((name) => {
    const sql = readFileSync(path.join(folder, name), 'utf8');
    return { version: Number(name.slice(0, 4)), name, sql, sha256: sha256(sql) };
  });
}

/** A row that holds a value this version knows no meaning of: told, and never read as something else. */
export function corrupt(table: string, row: unknown, column: string, value: unknown): TroupeError {
  const printable = cut(inert(String(value)), 60);
  return new TroupeError('data_corrupt', {
    what: `teams.db ${table} ${cut(inert(String(row)), 60)}: ${column} has unknown value ${printable}`,
  });
}
