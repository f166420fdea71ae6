import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '#kernel/clock.js';
import { SETTLED_MS, versionOf } from './file-version.js';

/** Files and folders as they were just before they were read. While none of them has changed, the result of reading them can be used again. */
export class SeenFiles {
  private readonly clock: Clock;
  /** Versions of what was read, by path. */
  private readonly versions = new Map<string, string>();
  /** Which entries lead there, by path: a folder that became a link is another one, whatever it leads to. */
  private readonly entries = new Map<string, string>();
  private isSettled = true;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Notes a file or a folder, and the folders below `root` that lead there. To be called before it is read. */
  see(root: string, file: string): void {
    for (let at = file; at.length > root.length && !this.entries.has(at); at = path.dirname(at))
      this.entries.set(at, entryAt(at));
    if (this.versions.has(file)) return;
    const { text, changedAt } = versionOf(file);
    this.versions.set(file, text);
    if (changedAt > this.clock.now() - SETTLED_MS) this.isSettled = false;
  }

  /** False also for files that were changed shortly before they were seen: they may have changed again without a trace. */
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
    return `${(error as NodeJS.ErrnoException).code}`; // the read that follows says why
  }
}
