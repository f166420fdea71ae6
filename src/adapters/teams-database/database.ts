import { type BigIntStats, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { LogFlush } from './log-flush.js';
import type { BoundStatement, Statements, Value } from './statement.js';

export type Row = Readonly<Record<string, unknown>>;

interface Statement {
  all(...values: Value[]): unknown[];
  run(...values: Value[]): unknown;
}

/** Common interface of both SQLite libraries. */
interface Connection {
  readonly exec: (sql: string) => unknown;
  prepare(sql: string): Statement;
  close(): unknown;
}

/** SQLite database, independent of the library. Values are always bound as parameters. */
export class Database {
  private readonly connection: Connection;
  /** Cache of prepared statements, since the same ones repeat. */
  private readonly statements = new Map<string, Statement>();
  /** Number of event loop turns with prepared statements, counted up to `FLEETING_TURNS`. */
  private turns = 0;
  private readonly finalize: () => Promise<void>;
  private readonly log: LogFlush;

  /** `finalize` frees unreferenced statements if closing the connection does not. */
  constructor(connection: Connection, finalize: () => Promise<void>, log: LogFlush) {
    this.connection = connection;
    this.finalize = finalize;
    this.log = log;
  }

  /** Resolves once all earlier commits are on disk. */
  flush(): Promise<void> {
    return this.log.flush();
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

  /** Runs statements to completion. Errors of the generator and of SQLite are rethrown. */
  runStatements<Result>(statements: Statements<Result>): Result {
    let step = statements.next();
    while (!step.done) step = statements.next(this.answer(step.value));
    return step.value;
  }

  private answer({ text, answers, values }: BoundStatement): readonly Row[] {
    const sql = text.join('?');
    if (answers) return withBytes(this.all(sql, ...values));
    this.run(sql, ...values);
    return [];
  }

  private prepared(sql: string): Statement {
    const kept = this.statements.get(sql);
    if (kept) return kept;
    const statement = this.connection.prepare(sql);
    if (this.statements.size === 0 && this.turns < FLEETING_TURNS) {
      this.turns++;
      setImmediate(() => this.statements.clear());
    }
    if (this.statements.size < TEAM_LIMITS.preparedStatements) this.statements.set(sql, statement);
    return statement;
  }

  /** Runs an immediate transaction. An error rolls it back and leaves the database usable. */
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
   * Begins a transaction, retrying every few milliseconds. SQLite's own retries become ever rarer, so with several busy
   * writers one may never find a gap.
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
          // Varied delays, so that waiting processes do not retry in step.
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
      // On a full disk SQLite has already rolled back.
      if (!(error instanceof Error) || !error.message.includes('no transaction is active')) throw error;
    }
  }

  /** Resolves once the file is closed. SQLite keeps it open while any of its statements exists. */
  async close(): Promise<void> {
    this.statements.clear();
    await this.log.close();
    this.connection.close();
    await this.finalize();
  }
}

/**
 * Number of turns after which a connection keeps its statements. Before, they are dropped after each turn: freeing them
 * is cheap while they are young, and most commands need no more turns. In longer use, preparing them again would cost
 * as much as running them.
 */
const FLEETING_TURNS = 30;
/** Open descriptors of this process, on Linux. */
const DESCRIPTORS = '/proc/self/fd';
const FINELY = { bigint: true, throwIfNoEntry: false } as const;
/** Maximum time to wait for another writer. */
export const BUSY_MS = 5_000;
/** Never notified: used only to sleep. */
const PAUSE = new Int32Array(new SharedArrayBuffer(4));

export function isBusy(error: unknown): boolean {
  const { message, code } = error as { readonly message?: string; readonly code?: unknown };
  return message?.includes('database is locked') === true || String(code ?? '').includes('SQLITE_BUSY');
}

/** SQLite's errors for a full disk or a failed write. */
const NO_ROOM = /database or disk is full|disk I\/O error/;

/** Converts these errors to the usual code. Errors: `disk_full`. */
function withDiskErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || !NO_ROOM.test(error.message)) throw error;
    throw new TroupeError('disk_full', { what: `teams.db could not be written: ${error.message}.`, cause: error });
  }
}

/** Converts the ArrayBuffers of one library to byte arrays. A column has bytes in every row or in none. */
function withBytes(rows: readonly Row[]): readonly Row[] {
  if (!Object.values(rows[0] ?? {}).some((value) => value instanceof ArrayBuffer)) return rows;
  const bytes = (value: unknown) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value);
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, bytes(value)])));
}

/** Returns a text that changes whenever any process, including this connection, changes the database. */
export function* databaseState(): Statements<string> {
  const text = ['SELECT total_changes() AS own, data_version AS others FROM pragma_data_version'];
  return JSON.stringify(yield { text, answers: true, values: [] });
}

interface Installed {
  readonly default: new (file: string) => Connection;
}

/** Kept also when loading failed: a bundled module that threw is empty the next time it is asked for. */
let installed: Promise<Installed> | undefined;

/** Opens a file with Node's built-in SQLite, otherwise with the installed library. Errors: `sqlite_missing`. */
export async function openDatabase(file: string): Promise<Database> {
  const own = nodeSqlite();
  const log = new LogFlush(`${file}-wal`, open);
  if (own) return new Database(new own.DatabaseSync(file), async () => undefined, log);
  installed ??= import('libsql');
  const library = await installed.catch((cause: unknown) => {
    throw new TroupeError('sqlite_missing', { cause });
  });
  const connection = new library.default(file);
  const opened = lstatSync(file, FINELY);
  return new Database(connection, () => collectStatements(() => opened !== undefined && isClosed(opened)), log);
}

/**
 * Frees statements by garbage collection. libsql has no call to finalise a statement: it does so when the object is
 * collected, and closes the connection with the last one. Finalizers run in the turn after the collection. Collecting
 * young statements takes a millisecond; old ones need a collection of the whole heap, a tenth of a second or more.
 */
async function collectStatements(isDone: () => boolean): Promise<void> {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  const { runInNewContext } = process.getBuiltinModule('node:vm');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void;
  // V8 accepts cached code only with the flags under which it was compiled.
  setFlagsFromString('--no-expose-gc');
  for (const collectSome of [() => collect({ type: 'minor' }), () => collect()]) {
    collectSome();
    await new Promise((resolve) => setImmediate(resolve));
    if (isDone()) return;
  }
}

/** Whether this process has no descriptor open for the file. False if the system does not tell, as outside Linux. */
function isClosed({ dev, ino }: BigIntStats): boolean {
  if (!existsSync(DESCRIPTORS)) return false;
  const open = readdirSync(DESCRIPTORS).map((name) => statSync(path.join(DESCRIPTORS, name), FINELY));
  return open.every((stats) => stats?.dev !== dev || stats.ino !== ino);
}

interface NodeSqlite {
  readonly DatabaseSync: new (file: string) => Connection;
}

/** Loads Node's SQLite without its experimental warning, which users of a command cannot act on. */
function nodeSqlite(): NodeSqlite | undefined {
  const warn = process.emitWarning;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
  } finally {
    process.emitWarning = warn;
  }
}
