import { closeSync, openSync, readSync, rmdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { makePersonalFolder } from '#adapters/disk/personal-folder.js';
import type { RunExit } from '#core/coordinator/snapshot.js';
import { parseJsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import type { RunPlan } from '#ports/run-host.js';

type Attempt = Pick<RunPlan, 'id' | 'taskId' | 'fence'>;

/**
 * How attempts ended, a line each, outside of the work tree: what `git clean` takes away with the folder of a run is still
 * here, so that a service that comes later does not do the work again. Written by the shell of each run; emptied when
 * nothing is at work.
 */
export class RunEnds {
  readonly file: string;

  /** `file` lies in a folder of our own, readable by nobody else. */
  constructor(file: string) {
    this.file = file;
  }

  /** Makes the folder, for those who write. */
  prepare(): void {
    makePersonalFolder(path.dirname(this.file));
  }

  /** How this very attempt ended; undefined where nothing is known of its end. */
  exitOf({ id, taskId, fence }: Attempt): RunExit | undefined {
    for (const line of this.text().split('\n').reverse()) {
      const end = parseJsonObject(line);
      if (end?.['run'] !== id || end['task_id'] !== taskId || end['fence'] !== fence) continue;
      const { code } = end;
      if (typeof code !== 'number') continue;
      return { code, ...(end['checked'] === true ? { check: { lastLines: '' } } : {}) };
    }
    return undefined;
  }

  /** Nothing is at work, and all that was is settled: nobody will ask. */
  clear(): void {
    if (this.bytes() > 0) truncateSync(this.file, 0);
  }

  /** Takes an empty one away. */
  close(): void {
    if (this.bytes() > 0) return;
    rmSync(this.file, { force: true });
    try {
      rmdirSync(path.dirname(this.file));
    } catch {
      // A socket lies beside it, or there was none: neither is of any harm.
    }
  }

  private bytes(): number {
    return statSync(this.file, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** The latest lines: those that matter are of attempts that were at work a moment ago. */
  private text(): string {
    const size = this.bytes();
    if (size === 0) return '';
    const bytes = Buffer.alloc(Math.min(size, LIMITS.runEndsBytes));
    const descriptor = openSync(this.file, 'r');
    try {
      return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, size - bytes.length));
    } finally {
      closeSync(descriptor);
    }
  }
}
