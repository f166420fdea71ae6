import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, parseJsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import type { Processes, ProcessIdentity, ProcessLock } from '#ports/processes.js';

const DEPTH_MOST = 4;
/** Of so many looks at a lock that is there, one asks whether its holder is still alive. */
const LOOKS_A_PROOF = 16;
/** Makes the nonces of one process differ, also when several locks are taken within a millisecond. */
let locksTaken = 0;

interface Holder extends ProcessIdentity {
  readonly nonce: string;
}

/**
 * One writer at a time, told by a file that is linked into place. A holder that died (its pid is gone or belongs to
 * another start) is succeeded by exactly one taker: whoever links the file named after the dead holder's nonce.
 */
export class FileLock implements ProcessLock {
  private readonly file: string;
  private readonly processes: Processes;
  private readonly clock: Clock;
  private mine: Holder | undefined;

  constructor(file: string, processes: Processes, clock: Clock) {
    this.file = file;
    this.processes = processes;
    this.clock = clock;
  }

  get held(): boolean {
    return this.mine !== undefined;
  }

  async acquire(giveUp?: () => boolean): Promise<void> {
    if (this.tryAcquire()) return;
    const waiting = `${this.file}.want.${process.pid}-${++locksTaken}`;
    writeFileSync(waiting, JSON.stringify({ ...this.processes.self(), nonce: waiting }), { mode: 0o600 });
    try {
      await this.wait(giveUp);
    } finally {
      rmSync(waiting, { force: true });
    }
  }

  contended(): boolean {
    const folder = path.dirname(this.file);
    const prefix = `${path.basename(this.file)}.want.`;
    const oldest = this.clock.now() - LIMITS.lockWaitMs; // whoever wrote an older one has given up, or was killed
    return readdirSync(folder).some(
      (name) =>
        name.startsWith(prefix) &&
        (statSync(path.join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0) >= oldest,
    );
  }

  private async wait(giveUp?: () => boolean): Promise<void> {
    const until = this.clock.now() + LIMITS.lockWaitMs;
    for (let attempt = 1; !this.tryAgain(attempt); attempt++) {
      if (this.clock.now() >= until || giveUp?.() === true) {
        const holder = readHolder(this.file);
        throw new TroupeError('locked', {
          what: `Another process is writing${holder ? `: pid ${holder.pid} on ${holder.host}` : ''}.`,
          details: holder ? { pid: holder.pid, host: holder.host } : {},
        });
      }
      const span = LIMITS.lockPollMostMs - LIMITS.lockPollLeastMs;
      await new Promise((resolve) => setTimeout(resolve, LIMITS.lockPollLeastMs + Math.random() * span));
    }
  }

  /** Making a draft only to find the lock taken costs more than looking; whether its holder lives is asked now and then. */
  private tryAgain(attempt: number): boolean {
    if (attempt % LOOKS_A_PROOF !== 0 && existsSync(this.file)) return false;
    return this.tryAcquire();
  }

  release(): void {
    if (!this.mine) return;
    const mine = this.mine;
    this.mine = undefined;
    if (readHolder(this.file)?.nonce === mine.nonce) rmSync(this.file, { force: true });
  }

  /** Takes the lock if nobody alive holds it. Answers whether it did; never waits. */
  private tryAcquire(): boolean {
    if (this.mine) return true;
    mkdirSync(path.dirname(this.file), { recursive: true, mode: 0o700 });
    const holder: Holder = {
      ...this.processes.self(),
      nonce: `${process.pid}-${Date.now().toString(36)}-${++locksTaken}`,
    };
    if (!this.take(this.file, holder, 0)) return false;
    this.mine = holder;
    return true;
  }

  private take(file: string, holder: Holder, depth: number): boolean {
    const draft = `${file}.${holder.nonce}`;
    writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
    try {
      linkSync(draft, file);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return this.succeed(file, draft, holder, depth);
    } finally {
      rmSync(draft, { force: true });
    }
  }

  /** The lock exists. Takes it over if its holder is dead. */
  private succeed(file: string, draft: string, holder: Holder, depth: number): boolean {
    const present = readHolder(file);
    if (!present || depth >= DEPTH_MOST || this.processes.state(present) !== 'dead') return false;
    const succession = `${file}.after.${present.nonce}`;
    if (!this.take(succession, holder, depth + 1)) return false;
    try {
      if (readHolder(file)?.nonce !== present.nonce) return false; // somebody else was faster and is done already
      renameSync(draft, file);
      this.sweep();
      return true;
    } finally {
      rmSync(succession, { force: true });
    }
  }

  /** Removes what takers that were killed half-way left beside the lock. */
  private sweep(): void {
    const folder = path.dirname(this.file);
    const prefix = `${path.basename(this.file)}.`;
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(prefix)) continue;
      // One that cannot be read is being written just now, by a taker who lives.
      const left = readHolder(path.join(folder, name));
      if (left && this.processes.state(left) === 'dead') rmSync(path.join(folder, name), { force: true });
    }
  }
}

function readHolder(file: string): Holder | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const value = parseJsonObject(text);
  return isJsonObject(value) && typeof value['nonce'] === 'string' ? (value as unknown as Holder) : undefined;
}
