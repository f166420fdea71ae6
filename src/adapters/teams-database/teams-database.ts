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
import { graphLayout } from '#kernel/graph-folder.js';
import { cut, inert } from '#kernel/text.js';
import type { WriteTurn } from '#ports/graph-store.js';
import type { TeamsFault } from '#ports/team-store.js';
import { DailyCopies } from './daily-copies.js';
import { BUSY_MS, type Database, databaseState, isBusy, openDatabase } from './database.js';
import { type Lease, leaseOf } from './lease.js';
import { isCurrent, migrate } from './migrations.js';
import type { Statements } from './statement.js';
import type { Tables } from './tables.js';

const FILE = 'teams.db';

/** Its parts: `folder` is the absolute path of `.workgraph/`, `migrations` that of the numbered files. */
export interface TeamsPlaces {
  readonly folder: string;
  readonly migrations: string;
  readonly clock: Clock;
  /** Every write takes it, so that beside a service nobody else writes. */
  readonly turn: WriteTurn;
  /** Where daily copies are kept: outside of the work tree, which git may clean. */
  readonly copies: string;
}

/**
 * `.workgraph/teams.db`, which several adapters keep their tables in. Opened with the first question, so that nothing else
 * pays for SQLite. Errors: `data_corrupt`, `schema_newer`, `migration_changed`, `locked`, `disk_full`, `read_only`, `unsafe_path`,
 * `sqlite_missing`.
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

  /** Whether there is a file. */
  exists(): boolean {
    return existsSync(this.file);
  }

  /** Milliseconds, for what is stamped as it is written. */
  now(): number {
    return this.places.clock.now();
  }

  state(): Statements<string> {
    return databaseState();
  }

  /** Answers from the file as it is, or `none` where nothing was ever kept: a question makes no file. */
  async read<Result>(none: Result, work: () => Statements<Result>): Promise<Result> {
    if (!this.exists()) return none;
    return await this.looked((database) => database.ran(work()));
  }

  /**
   * One change, whole or not at all, while no other process writes in the project. It is on the disk when this answers; others may see it a
   * moment before.
   */
  async write<Result>(work: () => Statements<Result>): Promise<Result> {
    return await withKnownErrors(async () => {
      for (;;) {
        const lease = await this.connected();
        const database = await lease.database;
        const written = await this.places.turn.exclusively(() =>
          // While it waited for the turn, the file may have been removed or replaced.
          lease.isCurrent() ? { result: this.changed(database, work) } : undefined,
        );
        if (written === undefined) continue;
        await database.flush();
        return written.result;
      }
    });
  }

  /** What keeps the file from being used; undefined where nothing does, or nothing was ever kept. */
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

  /** Puts the latest copy in the place of a file that is damaged or gone; answers what it did. */
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

  /** Fails now where a write would. */
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

  private changed<Result>(database: Database, work: () => Statements<Result>): Result {
    const result = database.transaction(() => database.ran(work()));
    try {
      this.copies.keep(database, this.now());
    } catch {
      // The change is on disk; a copy that fails is no reason to say otherwise.
    }
    return result;
  }

  private async connected(): Promise<Lease> {
    if (this.lease?.isCurrent() === false) await this.close();
    this.lease ??= leaseOf(this.file, () => this.connect());
    const { lease } = this;
    try {
      await lease.database;
      return lease;
    } catch (error) {
      await this.close(); // what stood in the way may be gone the next time
      throw error;
    }
  }

  private async connect(): Promise<Database> {
    const { folder, migrations, clock, turn } = this.places;
    refuseLinks(folder, this.file);
    mkdirSync(folder, { recursive: true }); // a team may be without a graph
    keepOutOfGit(folder);
    createPrivately(this.file);
    const database = await openDatabase(this.file);
    try {
      database.script(`PRAGMA busy_timeout = ${BUSY_MS}`);
      // Commits are flushed by `write`, once they have left the turn to others.
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

/** Messages are private, and a database that git merges is none: projects made before know nothing of it. */
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
 * Creates the file for its owner alone; SQLite would ask the umask. Never touches one that exists: closing any descriptor of a file
 * drops all locks that the process holds on it, those of SQLite too.
 */
function createPrivately(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return;
  try {
    closeSync(openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another process was faster
  }
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
  if (mentions('unable to open', 'Unable to open', 'SQLITE_CANTOPEN'))
    return new TroupeError('unreadable', { what: 'teams.db cannot be opened.', cause: error });
  const failure = asTroupeError(error);
  return failure.code === 'internal' ? error : failure;
}
