import { existsSync } from 'node:fs';
import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { ProcessLock } from '#ports/processes.js';
import { holdsGraph } from './paths.js';

/** Write lock of a store: checks ownership on disk and provides the error for its loss. */
export class WriteLock {
  private readonly paths: GraphLayout;
  private readonly lock: ProcessLock;
  private readonly onLost: () => void;
  private isLost = false;

  /** `onLost` is called once, when a lock held for life is lost. */
  constructor(paths: GraphLayout, lock: ProcessLock, onLost: () => void) {
    this.paths = paths;
    this.lock = lock;
    this.onLost = onLost;
  }

  /** Whether a lock held for life was taken over or its file removed. Nothing may be written any more. */
  get lost(): boolean {
    return this.isLost;
  }

  isOwn(): boolean {
    return this.lock.isOwn();
  }

  /** Checks ownership; called right before each write. Errors: `locked` if the lock was lost. */
  mustOwn(): void {
    if (this.isOwn()) return;
    this.markLost();
    throw this.error();
  }

  markLost(): void {
    if (this.isLost) return;
    this.isLost = true;
    this.onLost();
  }

  error(): TroupeError {
    const holder = this.lock.holder();
    const now = holder ? `it is held by ${holder.who} now` : 'its file was removed';
    return new TroupeError('locked', {
      what: `This process (pid ${process.pid}) lost the write lock of ${this.paths.folder}: ${now}. Nothing was changed.`,
      hint: 'Run the command again. If this ended a service, `troupe service start` starts another.',
      details: { folder: this.paths.folder, ...(holder ? { pid: holder.pid, host: holder.host } : {}) },
    });
  }
}

/**
 * Acquires the write lock. Errors: `not_initialized` if the graph was moved to another store meanwhile; files created
 * here again would belong to no project.
 */
export async function acquireGraph(paths: GraphLayout, lock: ProcessLock, stopWaiting?: () => boolean): Promise<void> {
  await lock.acquire(stopWaiting);
  if (holdsGraph(paths)) return;
  lock.release();
  throw new TroupeError('not_initialized', { what: `The task graph in ${paths.folder} was moved or removed.` });
}

const LOOK_EVERY_MS = 20;

/**
 * Waits while git holds its index lock, calling `again` each time. Git replaces the snapshot and the log one after the
 * other, so an apparent hand edit in between is half of a merge. Waits at most `WORK_LIMITS.gitSettleMs`, because a killed
 * git leaves its lock behind.
 */
export async function letGitFinish(graphFolder: string, isOdd: () => boolean, again: () => void): Promise<void> {
  const lock = path.join(path.dirname(graphFolder), '.git', 'index.lock');
  const most = WORK_LIMITS.gitSettleMs / LOOK_EVERY_MS;
  for (let look = 0; look < most && isOdd() && existsSync(lock); look++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    again();
  }
}
