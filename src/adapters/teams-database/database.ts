import { TroupeError } from '#kernel/errors.js';

type Value = string | number | null;
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

  constructor(connection: Connection) {
    this.connection = connection;
  }

  script(sql: string): void {
    told(() => this.connection.exec(sql));
  }

  all(sql: string, ...values: Value[]): Row[] {
    return told(() => this.connection.prepare(sql).all(...values) as Row[]);
  }

  run(sql: string, ...values: Value[]): void {
    told(() => this.connection.prepare(sql).run(...values));
  }

  /** All or nothing, one writer at a time; an error inside leaves the database as it was, and usable. */
  transaction<Result>(work: () => Result): Result {
    this.script('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.script('COMMIT');
      return result;
    } catch (error) {
      this.rollBack();
      throw error;
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

/** What SQLite says where there is no room left: it is full, or a write did not reach the disk. */
const NO_ROOM = /database or disk is full|disk I\/O error/;

/** A full disk has the same code here as everywhere else. */
function told<Result>(work: () => Result): Result {
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
