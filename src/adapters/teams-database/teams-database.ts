/**
 * `teams.db`, opened and migrated on first use; shared by the adapters that keep tables in it.
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
import type { Clock } from '#kernel/clock.js';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { PRIVATE_FILE } from '#kernel/file-modes.js';
import { graphLayout } from '#kernel/graph-folder.js';
import { cut, inert } from '#kernel/text.js';
import type { SharedTurn } from '#ports/graph-store.js';
import type { TeamsFault } from '#ports/team-store.js';
import { DailyCopies } from './daily-copies.js';
import { BUSY_MS, type Database, databaseState, isBusy, openDatabase } from './database.js';
import { type Lease, leaseOf } from './lease.js';
import { isCurrent, migrate } from './migrations.js';
import type { Statements } from './statement.js';
import type { Tables } from './tables.js';

const FILE = 'teams.db';

/** Parts of `TeamsDatabase`. `folder`: absolute path of `.workgraph/`; `migrations`: that of the numbered files. */
export interface TeamsPlaces {
  readonly folder: string;
  readonly migrations: string;
  readonly clock: Clock;
  /** Beside a service, only the service writes. */
  readonly turn: SharedTurn;
  /** Folder of daily copies, outside the worktree because git may clean that. */
  readonly copies: string;
}

/** A committed change. */
interface Changed<Result> {
  readonly result: Result;
}

/**
 * Database `.workgraph/teams.db`, shared by several adapters. Opened with the first query, so that other commands do
 * not load SQLite. Errors: `data_corrupt`, `schema_newer`, `migration_changed`, `locked`, `disk_full`, `read_only`,
 * `unsafe_path`, `sqlite_missing`.
 */
export class TeamsDatabase implements Tables {
  private readonly places: TeamsPlaces;
  private readonly file: string;
  private readonly copies: DailyCopies;
  private lease: Lease | undefined;

  constructor(places: TeamsPlaces) {
    this.places = places;
    this.file = graphLayout(places.folder).teams;
    this.copies = new DailyCopies(places.copies);
  }

  /** Whether the file exists. */
  exists(): boolean {
    return existsSync(this.file);
  }

  /** Time in milliseconds, for timestamps of rows. */
  now(): number {
    return this.places.clock.now();
  }

  state(): Statements<string> {
    return databaseState();
  }

  /** Reads the file; returns `none` if it does not exist, without creating it. */
  async read<Result>(none: Result, work: () => Statements<Result>): Promise<Result> {
    if (!this.exists()) return none;
    return await this.looked((database) => database.runStatements(work()));
  }

  /** Runs a transaction that excludes other processes. Resolves once it is on disk; others may see it earlier. */
  async write<Result>(work: () => Statements<Result>): Promise<Result> {
    return await withKnownErrors(async () => {
      for (;;) {
        const lease = await this.connected();
        const database = await lease.database;
        const written = this.changedFreely(lease, database, work) ?? (await this.changedInTurn(lease, database, work));
        if (written === undefined) continue; // the file was replaced meanwhile
        await database.flush();
        return written.result;
      }
    });
  }

  /** Reason why the file is unusable; undefined if it is fine or never existed. */
  async fault(thoroughly: boolean): Promise<TeamsFault | undefined> {
    const copy = this.copies.latest() ?? null;
    if (!this.exists()) {
      const text = 'teams.db is gone, and with it teams, conversations and messages.';
      return copy === null ? undefined : { code: 'gone', text, copy };
    }
    try {
      const check = thoroughly ? 'PRAGMA integrity_check(1)' : 'SELECT count(*) FROM sqlite_master';
      const [row] = await this.looked((database) => database.all(check));
      const word = Object.values(row ?? {})[0];
      if (typeof word !== 'string' || word === 'ok') return undefined;
      return { code: 'damaged', text: `teams.db is damaged: ${cut(inert(word), 120)}.`, copy };
    } catch (error) {
      const { code, message: text } = asTroupeError(error);
      if (code === 'data_corrupt') return { code: 'damaged', text, copy };
      return { code: code === 'schema_newer' ? 'newer' : 'unusable', text, copy: null };
    }
  }

  /** Replaces a damaged or missing file with the latest copy. Returns a sentence for each action. */
  async restore(): Promise<readonly string[]> {
    const { folder, clock, turn } = this.places;
    const fault = await this.fault(true);
    if (fault === undefined || fault.copy === null) return [];
    await this.close();
    const aside = graphLayout(folder).lostAndFound;
    await turn.exclusively(() => this.copies.restore(this.file, aside, clock.now()));
    const moved = fault.code === 'gone' ? '' : '; the damaged file is in .workgraph/service/lost+found/';
    return [`Restored teams.db from the copy of ${fault.copy}${moved}.`];
  }

  /** Opens the database; fails if a write would fail. */
  async open(): Promise<void> {
    await withKnownErrors(() => this.connected());
  }

  async close(): Promise<void> {
    const { lease } = this;
    this.lease = undefined;
    await lease?.release();
  }

  private async looked<Answer>(look: (database: Database) => Answer): Promise<Answer> {
    return await withKnownErrors(async () => look(await (await this.connected()).database));
  }

  /** Change without the turn, which costs as much as the change itself; undefined if another process may have it. */
  private changedFreely<Result>(
    lease: Lease,
    database: Database,
    work: () => Statements<Result>,
  ): Changed<Result> | undefined {
    const { turn } = this.places;
    if (!turn.isFree()) return undefined;
    // Asked again now that the transaction excludes other writers: a service may have begun while it waited.
    return this.changed(database, work, () => turn.isFree() && lease.isCurrent());
  }

  private changedInTurn<Result>(
    lease: Lease,
    database: Database,
    work: () => Statements<Result>,
  ): Promise<Changed<Result> | undefined> {
    return this.places.turn.exclusively(() => this.changed(database, work, () => lease.isCurrent()));
  }

  private changed<Result>(
    database: Database,
    work: () => Statements<Result>,
    mayWrite: () => boolean,
  ): Changed<Result> | undefined {
    const changed = database.transaction(() => (mayWrite() ? { result: database.runStatements(work()) } : undefined));
    if (changed === undefined) return undefined;
    try {
      this.copies.keep(database, this.now());
    } catch {
      // The change is on disk, so a failed copy is no error.
    }
    return changed;
  }

  private async connected(): Promise<Lease> {
    if (this.lease?.isCurrent() === false) await this.close();
    this.lease ??= leaseOf(this.file, () => this.connect());
    const { lease } = this;
    try {
      await lease.database;
      return lease;
    } catch (error) {
      await this.close(); // the next attempt may succeed
      throw error;
    }
  }

  private async connect(): Promise<Database> {
    const { folder, migrations, clock, turn } = this.places;
    refuseLinks(folder, this.file);
    mkdirSync(folder, { recursive: true }); // a team can exist without a graph
    keepOutOfGit(folder);
    createPrivately(this.file);
    const database = await openDatabase(this.file);
    try {
      database.script(`PRAGMA busy_timeout = ${BUSY_MS}`);
      // `write` flushes commits itself, after releasing the turn.
      database.script('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF');
      const now = () => clock.now();
      if (!isCurrent(database, migrations))
        await turn.exclusively(() => migrate(database, { folder: migrations, file: this.file, now }));
      return database;
    } catch (error) {
      await database.close();
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

/** Ignores the database in git: messages are private, and git cannot merge it. Older projects lack the line. */
function keepOutOfGit(folder: string): void {
  const { gitIgnore: file } = graphLayout(folder);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) return;
  const text = stats === undefined ? '' : readFileSync(file, 'utf8');
  const line = `${FILE}*`;
  if (!text.split('\n').includes(line))
    appendFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`);
}

async function withKnownErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw databaseError(error);
  }
}

/**
 * Creates the file readable only by its owner; SQLite would use the umask. Never opens an existing file: closing any
 * descriptor of it would release all locks of this process on it, including SQLite's.
 */
function createPrivately(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return;
  try {
    closeSync(
      openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, PRIVATE_FILE),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another process created it
  }
}

/** Converts SQLite errors to coded errors. */
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
  if (mentions('unable to open', 'Unable to open', 'SQLITE_CANTOPEN'))
    return new TroupeError('unreadable', { what: 'teams.db cannot be opened.', cause: error });
  const failure = asTroupeError(error);
  return failure.code === 'internal' ? error : failure;
}
