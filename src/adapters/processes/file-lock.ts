import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type Clock, isRecent } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '#kernel/file-modes.js';
import { isJsonObject, type JsonObject, parseJsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { inert } from '#kernel/text.js';
import type { LockHolder, Processes, ProcessIdentity, ProcessLock } from '#ports/processes.js';

/** Makes nonces of one process unique, even if several locks are taken within a millisecond. */
let locksTaken = 0;

/** The lock we hold: our nonce, the time at which we took it, and the identity of the lock file. */
interface Mine extends FileIdentity {
  readonly nonce: string;
  readonly since: number;
  /** State of the file when it was last read and found to be ours. */
  readonly state: string | undefined;
}

/**
 * Mutual exclusion of writers by a lock file that is linked into place. A dead holder (its pid is unused or belongs to
 * a process with another start time; or, if that is unknown, the lock was not renewed in time) is succeeded by exactly
 * one process: the one that links the file named after the dead lock.
 */
export class FileLock implements ProcessLock {
  private readonly file: string;
  private readonly processes: Processes;
  private readonly clock: Clock;
  private mine: Mine | undefined;
  private renewing: NodeJS.Timeout | undefined;

  constructor(file: string, processes: Processes, clock: Clock) {
    this.file = file;
    this.processes = processes;
    this.clock = clock;
  }

  get held(): boolean {
    return this.mine !== undefined;
  }

  async acquire(stopWaiting?: () => boolean): Promise<void> {
    if (this.tryAcquire()) return;
    const waiting = `${this.file}.want.${process.pid}-${++locksTaken}`;
    writeFileSync(waiting, JSON.stringify(this.named(freshNonce())), { mode: PRIVATE_FILE });
    try {
      await this.wait(stopWaiting);
    } finally {
      rmSync(waiting, { force: true });
    }
  }

  async seize(): Promise<LockHolder | undefined> {
    let looks = 0;
    try {
      await this.acquire(() => ++looks > WORK_LIMITS.lockAttemptsBeforeSeize); // a command finishes quickly
      return undefined;
    } catch (error) {
      if (!(error instanceof TroupeError) || error.code !== 'locked') throw error;
    }
    const before = this.holder();
    this.makeFolder(); // `git clean -fdx` may have removed it meanwhile
    const draft = new Draft(this.file, this.named(freshNonce()));
    renameSync(draft.path, this.file);
    this.keep(draft.holder, draft.identity);
    return before;
  }

  /** Reads the file only if its state differs from when it was last read: a service asks before each write. */
  isOwn(): boolean {
    if (!this.mine) return false;
    const state = fileState(this.file);
    if (state !== undefined && state === this.mine.state) return true;
    const present = readLock(this.file);
    const { nonce, since, device, inode } = this.mine;
    const isOwn = present?.holder?.nonce === nonce && present.inode === inode && present.device === device;
    // Of the moment before the file was read: a change in between is seen by the next look.
    this.mine = { nonce, since, device, inode, state: isOwn ? state : undefined };
    return isOwn;
  }

  holder(): LockHolder | undefined {
    const present = readLock(this.file);
    if (!present) return undefined;
    const { holder } = present;
    const state = this.stateOf(present);
    const abandoned = this.isGone(present);
    if (!holder) return { who: 'a holder it does not name', state, gone: abandoned };
    const { pid, host } = holder;
    return { who: `pid ${pid} on ${inert(host)}`, pid, host, state, gone: abandoned };
  }

  contended(): boolean {
    const folder = path.dirname(this.file);
    const prefix = `${path.basename(this.file)}.want.`;
    const now = this.clock.now();
    let contended = false;
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(prefix)) continue;
      const since = statSync(path.join(folder, name), { throwIfNoEntry: false })?.mtimeMs;
      if (since === undefined) continue;
      // Writers of older ones have timed out, or were killed.
      if (isRecent(since, now, WORK_LIMITS.lockWaitMs)) contended = true;
      else rmSync(path.join(folder, name), { force: true });
    }
    return contended;
  }

  private async wait(stopWaiting?: () => boolean): Promise<void> {
    const until = this.clock.now() + WORK_LIMITS.lockWaitMs;
    for (let attempt = 1; !this.tryAgain(attempt); attempt++) {
      if (this.clock.now() >= until || stopWaiting?.() === true) throw this.heldByAnother();
      const span = WORK_LIMITS.lockPollMostMs - WORK_LIMITS.lockPollLeastMs;
      await new Promise((resolve) => setTimeout(resolve, WORK_LIMITS.lockPollLeastMs + Math.random() * span));
    }
  }

  private heldByAnother(): TroupeError {
    const holder = this.holder();
    const folder = path.dirname(this.file);
    return new TroupeError('locked', {
      what: `Another process is writing in ${inert(folder)}${holder ? `: the lock is held by ${holder.who}` : ''}.`,
      ...(holder && holder.state !== 'alive' ? { why: 'Whether it is running cannot be determined from here.' } : {}),
      details: { folder, ...(holder ? { pid: holder.pid, host: holder.host, state: holder.state } : {}) },
    });
  }

  /**
   * Tries to acquire the lock if its file is missing, and on every `lockAttemptsPerLivenessCheck`-th attempt, which also checks
   * whether the holder is alive. Other attempts only look for the file, because creating a draft costs more.
   */
  private tryAgain(attempt: number): boolean {
    if (attempt % WORK_LIMITS.lockAttemptsPerLivenessCheck !== 0 && existsSync(this.file)) return false;
    return this.tryAcquire();
  }

  release(): void {
    const { since } = this.mine ?? { since: 0 };
    const own = this.isOwn();
    this.mine = undefined;
    clearInterval(this.renewing);
    if (!own) return;
    // A service: of many short commands, none is delayed by it.
    const isLong = !isRecent(since, this.clock.now(), WORK_LIMITS.lockLongMs);
    try {
      if (isLong) this.sweep();
    } catch {
      // The folder disappeared, or the disk fails: the successor of a dead holder sweeps.
    }
    rmSync(this.file, { force: true });
  }

  /** Acquires the lock if it is free or its holder is gone. Returns whether it succeeded; never waits. */
  private tryAcquire(): boolean {
    if (this.mine) return true;
    this.makeFolder();
    const holder = this.named(freshNonce());
    const identity = this.take(this.file, holder, 0);
    if (identity) this.keep(holder, identity);
    return identity !== undefined;
  }

  /** Links our lock at `file`. Returns the identity of the file; undefined if another holder keeps it. */
  private take(file: string, holder: Holder, depth: number): FileIdentity | undefined {
    const draft = new Draft(file, holder);
    try {
      linkSync(draft.path, file);
      return draft.identity;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return this.takeOverIfDead(file, draft, depth) ? draft.identity : undefined;
    } finally {
      rmSync(draft.path, { force: true });
    }
  }

  /** Takes an existing lock over if its holder is gone. Returns whether it succeeded. */
  private takeOverIfDead(file: string, draft: Draft, depth: number): boolean {
    const present = readLock(file);
    if (!present || depth >= WORK_LIMITS.lockDepth || !this.isGone(present)) return false;
    const succession = `${file}.after.${present.key}`;
    if (!this.take(succession, draft.holder, depth + 1)) return false;
    try {
      if (readLock(file)?.key !== present.key) return false; // another process took it over first
      renameSync(draft.path, file);
      this.sweep();
      return true;
    } finally {
      rmSync(succession, { force: true });
    }
  }

  private keep({ nonce }: Holder, file: FileIdentity): void {
    this.mine = { nonce, since: this.clock.now(), ...file, state: undefined };
    this.renewing = setInterval(() => this.renew(), WORK_LIMITS.lockRenewMs);
    this.renewing.unref();
  }

  /** Renews the lock, for processes that cannot see ours. */
  private renew(): void {
    const now = this.clock.now() / 1_000;
    try {
      if (this.isOwn()) utimesSync(this.file, now, now);
    } catch {
      // The file disappeared, or the disk fails: the next write detects and reports it.
    }
  }

  private stateOf({ holder }: PresentLock): LockHolder['state'] {
    if (!holder) return 'unreadable';
    const self = this.processes.self();
    const here = identityOf(path.dirname(this.file));
    const elsewhere = holder.folder.inode !== here.inode || holder.folder.device !== here.device;
    // The lock of a copied project names the original folder. Device numbers are comparable on one machine only, so
    // this counts only for the same boot.
    if (elsewhere && self.boot !== '' && holder.boot === self.boot) return 'dead';
    return this.processes.state(holder);
  }

  private isGone(present: PresentLock): boolean {
    const state = this.stateOf(present);
    if (state === 'alive' || state === 'dead') return state === 'dead';
    return this.clock.now() - present.renewedAt >= WORK_LIMITS.lockStaleMs;
  }

  /** Removes files that takers left beside the lock when they were killed. */
  private sweep(): void {
    const folder = path.dirname(this.file);
    const prefix = `${path.basename(this.file)}.`;
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(prefix)) continue;
      // An unreadable file is being written by a live taker.
      const leftover = readLock(path.join(folder, name));
      if (leftover && this.isGone(leftover)) rmSync(path.join(folder, name), { force: true });
    }
  }

  private named(nonce: string): Holder {
    return { ...this.processes.self(), nonce, folder: identityOf(path.dirname(this.file)) };
  }

  private makeFolder(): void {
    mkdirSync(path.dirname(this.file), { recursive: true, mode: PRIVATE_FOLDER });
  }
}

/** A nonce that is unique across containers too, where processes of each have the same pids. */
function freshNonce(): string {
  return `${process.pid}-${Date.now().toString(36)}-${++locksTaken}-${Math.random().toString(36).slice(2)}`;
}

/** A lock file that is complete before it is linked or renamed into place. */
class Draft {
  readonly path: string;
  readonly holder: Holder;
  readonly identity: FileIdentity;

  constructor(file: string, holder: Holder) {
    this.path = `${file}.${holder.nonce}`;
    this.holder = holder;
    writeFileSync(this.path, JSON.stringify(holder), { mode: PRIVATE_FILE });
    this.identity = identityOf(this.path);
  }
}

/** Form of a nonce, which becomes part of a file name. */
const NONCE = /^[\w-]{1,100}$/;

/** Identity of a file or folder, independent of its path. */
interface FileIdentity {
  readonly device: string;
  readonly inode: string;
}

/** Contents of a lock file. */
export interface Holder extends ProcessIdentity {
  readonly nonce: string;
  /** Folder in which the file was created. In a copy of the project it names the original folder. */
  readonly folder: FileIdentity;
}

/** A lock file as read from disk. */
interface PresentLock extends FileIdentity {
  /** Unique among all locks that were ever at this path. */
  readonly key: string;
  /** Undefined if the file is empty (after a power failure) or invalid. */
  readonly holder: Holder | undefined;
  /** Time of its creation or last renewal, in milliseconds. */
  readonly renewedAt: number;
}

export function identityOf(file: string): FileIdentity {
  const { dev, ino } = lstatSync(file, { bigint: true });
  return { device: String(dev), inode: String(ino) };
}

/** Identity and time of the last change of a file, as text; undefined if it does not exist. */
function fileState(file: string): string | undefined {
  const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
}

/** Reads the lock; undefined if it does not exist or disappears meanwhile. */
function readLock(file: string): PresentLock | undefined {
  const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  const text = stat === undefined ? undefined : textOf(file);
  if (stat === undefined || text === undefined) return undefined;
  const holder = holderIn(text);
  return {
    key: holder?.nonce ?? `unreadable-${stat.ino}-${stat.mtimeNs}`,
    holder,
    device: String(stat.dev),
    inode: String(stat.ino),
    renewedAt: Number(stat.mtimeMs),
  };
}

function holderIn(text: string): Holder | undefined {
  const value = parseJsonObject(text);
  return value !== undefined && isHolder(value) ? value : undefined;
}

function isHolder(value: JsonObject): value is JsonObject & Holder {
  if (!Number.isSafeInteger(value['pid']) || !isJsonObject(value['folder'])) return false;
  const named = ['start', 'host', 'boot', 'namespace', 'nonce'].every((field) => typeof value[field] === 'string');
  return named && NONCE.test(String(value['nonce']));
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
