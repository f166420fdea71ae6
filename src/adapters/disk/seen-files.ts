import { type BigIntStats, lstatSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '#kernel/clock.js';

/** Two changes within this time may leave the same time of change: file systems count in ticks of up to 10 ms, some in seconds. */
const SETTLED_MS = 2_000;
const NS_PER_MS = 1_000_000n;

/**
 * Files and folders as they were just before they were read. While none of them has changed, what was made of them can be used
 * again: a look takes some microseconds a file.
 */
export class SeenFiles {
  private readonly clock: Clock;
  private readonly marks = new Map<string, string>();
  private settled = true;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Notes a file or a folder, and which folders above it up to `root` lead there. To be called before it is read. */
  see(root: string, file: string): void {
    for (let folder = path.dirname(file); folder.length > root.length; folder = path.dirname(folder))
      this.note(`in ${folder}`);
    this.note(`at ${file}`);
  }

  /** False also for files that were changed shortly before they were seen: they may have changed again without a trace. */
  isUnchanged(): boolean {
    return this.settled && [...this.marks].every(([place, mark]) => markOf(place).mark === mark);
  }

  private note(place: string): void {
    if (this.marks.has(place)) return;
    const { mark, changedAt } = markOf(place);
    this.marks.set(place, mark);
    if (changedAt > BigInt(this.clock.now() - SETTLED_MS) * NS_PER_MS) this.settled = false;
  }
}

/** A folder on the way is the same as long as it is no other; of what is read also its content. */
function markOf(place: string): { readonly mark: string; readonly changedAt: bigint } {
  const [how, file] = [place.slice(0, 2), place.slice(3)];
  const [link, target] = [look(lstatSync, file), look(statSync, file)];
  if (how === 'in') return { mark: `${link?.dev}:${link?.ino}:${target?.ino}`, changedAt: 0n };
  const changes = [link, target].flatMap((stats) => (stats ? [stats.ctimeNs] : []));
  const marks = [link, target].map((stats) => stats && `${stats.dev}:${stats.ino}:${stats.size}:${stats.ctimeNs}`);
  return { mark: marks.join(' '), changedAt: changes.reduce((latest, at) => (at > latest ? at : latest), 0n) };
}

/** Undefined where it cannot be seen; the read that follows says why. */
function look(stat: typeof lstatSync, file: string): BigIntStats | undefined {
  try {
    return stat(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
