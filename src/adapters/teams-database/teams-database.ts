/**
 * `teams.db`, opened with the first question and brought up to date; shared by the adapters that keep tables in it.
 * @packageDocumentation
 */
import {
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Clock } from '#kernel/clock.js';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { BUSY_MS, type Database, isBusy, migrate, openDatabase } from './database.js';

const FILE = 'teams.db';

/**
 * `.workgraph/teams.db`, which several adapters keep their tables in. Opened with the first question, so that nothing else
 * pays for SQLite. Errors: `data_corrupt`, `schema_newer`, `migration_changed`, `locked`, `disk_full`, `read_only`, `unsafe_path`,
 * `sqlite_missing`.
 */
export class TeamsDatabase {
  private readonly folder: string;
  private readonly migrations: string;
  private readonly clock: Clock;
  private opening: Promise<Database> | undefined;

  /** `folder` is the absolute path of `.workgraph/`; `migrations` that of the numbered files. */
  constructor(places: { folder: string; migrations: string; clock: Clock }) {
    this.folder = places.folder;
    this.migrations = places.migrations;
    this.clock = places.clock;
  }

  /** Whether there is a file, or soon will be. */
  exists(): boolean {
    return this.opening !== undefined || existsSync(path.join(this.folder, FILE));
  }

  /** Milliseconds, for what is stamped as it is written. */
  now(): number {
    return this.clock.now();
  }

  /** Hands the open database to `work`, which does not wait for anything while it holds it. */
  async use<Result>(work: (database: Database) => Result): Promise<Result> {
    try {
      this.opening ??= this.open().catch((error: unknown) => {
        this.opening = undefined; // what stood in the way may be gone the next time
        throw error;
      });
      return work(await this.opening);
    } catch (error) {
      throw databaseError(error);
    }
  }

  async close(): Promise<void> {
    const opening = this.opening;
    this.opening = undefined;
    (await opening?.catch(() => undefined))?.close();
  }

  private async open(): Promise<Database> {
    const file = path.join(this.folder, FILE);
    refuseLinks(this.folder, file);
    mkdirSync(this.folder, { recursive: true }); // a team may be without a graph
    keepOutOfGit(this.folder);
    // Made by us before SQLite does, which would ask the umask who may read it.
    closeSync(openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600));
    const database = await openDatabase(file);
    try {
      database.script(`PRAGMA busy_timeout = ${BUSY_MS}`);
      database.all('PRAGMA journal_mode = WAL');
      database.script('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF');
      migrate(database, { folder: this.migrations, file, now: () => this.clock.now() });
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }
}

function refuseLinks(folder: string, file: string): void {
  for (const place of [folder, file, `${file}-wal`, `${file}-shm`]) {
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new TroupeError('unsafe_path', { what: `${place} is a link: nothing is kept through it.` });
  }
}

/** Messages are private, and a database that git merges is none: projects made before know nothing of it. */
function keepOutOfGit(folder: string): void {
  const file = path.join(folder, '.gitignore');
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) return;
  const text = stats === undefined ? '' : readFileSync(file, 'utf8');
  const line = `${FILE}*`;
  if (!text.split('\n').includes(line))
    appendFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`);
}

/** What SQLite says, as what a person can act on. */
function databaseError(error: unknown): unknown {
  if (error instanceof TroupeError) return error;
  const { message } = error as Error;
  const code = String((error as { code?: unknown }).code ?? '');
  const mentions = (...words: string[]) => words.some((word) => message.includes(word) || code.includes(word));
  if (isBusy(error)) return new TroupeError('locked', { what: 'teams.db is being written.' });
  if (mentions('disk is full', 'SQLITE_FULL')) return new TroupeError('disk_full', { cause: error });
  if (mentions('readonly database', 'SQLITE_READONLY')) return new TroupeError('read_only', { cause: error });
  if (mentions('not a database', 'malformed', 'SQLITE_NOTADB', 'SQLITE_CORRUPT')) {
    return new TroupeError('data_corrupt', { what: 'teams.db is damaged.', cause: error });
  }
  const failure = asTroupeError(error);
  return failure.code === 'internal' ? error : failure;
}
