import { type BigIntStats, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { LogFlush } from './log-flush.js';
import type { Asked, Statements, Value } from './statement.js';

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
  /** Prepared once: the same are asked again and again. */
  private readonly statements = new Map<string, Statement>();
  /** Turns in which statements were prepared, up to the number after which they are kept. */
  private turns = 0;
  private readonly finalize: () => Promise<void>;
  private readonly log: LogFlush;

  /** `finalize` frees statements that nothing refers to any more, where closing the connection does not. */
  constructor(connection: Connection, finalize: () => Promise<void>, log: LogFlush) {
    this.connection = connection;
    this.finalize = finalize;
    this.log = log;
  }

  /** When this answers, whatever was committed before is on the disk. */
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

  /** Runs statements to their end. An error of theirs, or of SQLite, is thrown on. */
  ran<Result>(statements: Statements<Result>): Result {
    let step = statements.next();
    while (!step.done) step = statements.next(this.answer(step.value));
    return step.value;
  }

  private answer({ text, answers, values }: Asked): readonly Row[] {
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

  /** Resolves once the file is closed. SQLite keeps it open for as long as one of its statements exists. */
  async close(): Promise<void> {
    this.statements.clear();
    await this.log.close();
    this.connection.close();
    await this.finalize();
  }
}

/**
 * The first turns of a connection forget their statements, which are freed at little cost while they are young: most commands have no
 * more turns. A connection that is used for longer keeps them, as to prepare them again costs as much as to run them.
 */
const FLEETING_TURNS = 30;
/** What this process has open, on Linux. */
const DESCRIPTORS = '/proc/self/fd';
const FINELY = { bigint: true, throwIfNoEntry: false } as const;
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

/** One of the libraries answers bytes, the other what holds them. A column has them in each row or in none. */
function withBytes(rows: readonly Row[]): readonly Row[] {
  if (!Object.values(rows[0] ?? {}).some((value) => value instanceof ArrayBuffer)) return rows;
  const bytes = (value: unknown) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value);
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, bytes(value)])));
}

/** Another text whenever a process has changed the database, also this one by the same connection. */
export function* databaseState(): Statements<string> {
  const text = ['SELECT total_changes() AS own, data_version AS others FROM pragma_data_version'];
  return JSON.stringify(yield { text, answers: true, values: [] });
}

/** Opens a file with the SQLite of Node where it has one, else with the library that is installed beside us. */
export async function openDatabase(file: string): Promise<Database> {
  const own = nodeSqlite();
  const log = new LogFlush(`${file}-wal`, open);
  if (own) return new Database(new own.DatabaseSync(file), async () => undefined, log);
  let library: { default: new (file: string) => Connection };
  try {
    library = await (await import('./installed-sqlite.js')).installedSqlite();
  } catch (error) {
    throw new TroupeError('sqlite_missing', { cause: error });
  }
  const connection = new library.default(file);
  const opened = lstatSync(file, FINELY);
  return new Database(connection, () => collectStatements(() => opened !== undefined && isClosed(opened)), log);
}

/**
 * libsql has no call that finalizes a statement: it does so when the object is collected, and closes the connection with the last one.
 * The finalizers of native objects run in the turn after the collection. A young statement is collected in a millisecond; to
 * collect an old one takes as long as the whole heap is large, a tenth of a second and more.
 */
async function collectStatements(isDone: () => boolean): Promise<void> {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  const { runInNewContext } = process.getBuiltinModule('node:vm');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void;
  // Compiled code was made with the flags that were set when it was; V8 takes it with no others.
  setFlagsFromString('--no-expose-gc');
  for (const collectSome of [() => collect({ type: 'minor' }), () => collect()]) {
    collectSome();
    await new Promise((resolve) => setImmediate(resolve));
    if (isDone()) return;
  }
}

/** Whether no descriptor of this process leads to the file. False where the system does not tell, as outside of Linux. */
function isClosed({ dev, ino }: BigIntStats): boolean {
  if (!existsSync(DESCRIPTORS)) return false;
  const open = readdirSync(DESCRIPTORS).map((name) => statSync(path.join(DESCRIPTORS, name), FINELY));
  return open.every((stats) => stats?.dev !== dev || stats.ino !== ino);
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
