import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '#kernel/clock.js';
import { SETTLED_MS, versionOf } from './file-version.js';

/** Versions of files and folders taken before they were read. While none has changed, the result can be reused. */
export class SeenFiles {
  private readonly clock: Clock;
  /** Versions by path. */
  private readonly versions = new Map<string, string>();
  /** Device and inode of each path component: a folder replaced by a link counts as changed, wherever it leads. */
  private readonly entries = new Map<string, string>();
  private isSettled = true;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Records a file or folder, and the folders below `root` that lead to it. Call before reading it. */
  see(root: string, file: string): void {
    for (let at = file; at.length > root.length && !this.entries.has(at); at = path.dirname(at))
      this.entries.set(at, entryAt(at));
    if (this.versions.has(file)) return;
    const { text, changedAt } = versionOf(file);
    this.versions.set(file, text);
    if (changedAt > this.clock.now() - SETTLED_MS) this.isSettled = false;
  }

  /** Whether nothing has changed. False for recently changed files: another change might be undetectable. */
  isUnchanged(): boolean {
    return (
      this.isSettled &&
      [...this.versions].every(([file, text]) => versionOf(file).text === text) &&
      [...this.entries].every(([file, entry]) => entryAt(file) === entry)
    );
  }
}

function entryAt(file: string): string {
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    return stats ? `${stats.dev} ${stats.ino}` : 'none';
  } catch (error) {
    return `${(error as NodeJS.ErrnoException).code}`; // the following read reports the reason
  }
}
