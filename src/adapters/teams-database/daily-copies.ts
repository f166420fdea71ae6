import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { isMissing } from '#adapters/disk/safe-path.js';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '#kernel/file-modes.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Database } from './database.js';

const NAME = /^teams-\d{4}-\d{2}-\d{2}\.db$/;
const PARTS = ['', '-wal', '-shm'] as const;

/**
 * Daily copies of `teams.db` in a folder outside the worktree; only the latest few are kept. They contain messages, so
 * only their owner may read them.
 */
export class DailyCopies {
  private readonly folder: string;
  private day: string | undefined;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Creates today's copy if there is none. A failed copy leaves earlier ones unchanged. */
  keep(database: Database, now: number): void {
    const today = `teams-${new Date(now).toISOString().slice(0, 10)}.db`;
    if (this.day === today) return;
    this.day = today; // even if it fails: retried the next day, or by the next process
    if (this.names().includes(today)) return;
    mkdirSync(this.folder, { recursive: true, mode: PRIVATE_FOLDER });
    const draft = path.join(this.folder, `.${today}.${process.pid}`);
    rmSync(draft, { force: true });
    try {
      closeSync(openSync(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, PRIVATE_FILE));
      copyInto(database, draft);
      renameSync(draft, path.join(this.folder, today));
    } finally {
      rmSync(draft, { force: true });
    }
    for (const name of this.names().slice(0, -TEAM_LIMITS.teamsCopies))
      rmSync(path.join(this.folder, name), { force: true });
  }

  /** Date of the latest copy, `YYYY-MM-DD`. */
  latest(): string | undefined {
    return this.names().at(-1)?.slice('teams-'.length, -'.db'.length);
  }

  /**
   * Replaces `file`, which must be closed in this process, with the latest copy, and moves the old file to `aside`.
   * Returns the name of the copy; undefined if there is none.
   */
  restore(file: string, aside: string, now: number): string | undefined {
    const name = this.names().at(-1);
    if (name === undefined) return undefined;
    mkdirSync(aside, { recursive: true, mode: PRIVATE_FOLDER });
    const draft = `${file}.restored`;
    rmSync(draft, { force: true });
    copyFileSync(path.join(this.folder, name), draft, constants.COPYFILE_EXCL);
    for (const part of PARTS) {
      if (lstatSync(`${file}${part}`, { throwIfNoEntry: false }) !== undefined)
        renameSync(`${file}${part}`, path.join(aside, `teams-${now}.db${part}`));
    }
    renameSync(draft, file);
    return name;
  }

  /** Names of the copies, oldest first. */
  private names(): string[] {
    try {
      if (!lstatSync(this.folder).isDirectory()) return [];
      return readdirSync(this.folder)
        .filter((name) => NAME.test(name))
        .sort();
    } catch (error) {
      if (isMissing(error)) return []; // also if the home is not a folder
      throw error;
    }
  }
}

/** Copies the database and flushes once at the end: SQLite would flush the copy and its journal at each step. */
function copyInto(database: Database, file: string): void {
  database.script('PRAGMA synchronous = OFF');
  try {
    database.run('VACUUM INTO ?', file);
  } finally {
    database.script('PRAGMA synchronous = NORMAL');
  }
  const copy = openSync(file, constants.O_RDWR);
  try {
    fsyncSync(copy);
  } finally {
    closeSync(copy);
  }
}
