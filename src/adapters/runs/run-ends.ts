import { closeSync, openSync, readSync, rmdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { makePersonalFolder } from '#adapters/disk/personal-folder.js';
import type { RunExit } from '#core/coordinator/snapshot.js';
import { parseJsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { RunPlan } from '#ports/run-host.js';

type Attempt = Pick<RunPlan, 'id' | 'taskId' | 'fence'>;

/**
 * Ends of attempts, one line each, stored outside the work tree: if `git clean` removes the folder of a run, its end is
 * still known, so a later service does not repeat the work. Written by the shell of each run; emptied when no run is at
 * work.
 */
export class RunEnds {
  readonly file: string;

  /** `file` is in a folder that only its owner can read. */
  constructor(file: string) {
    this.file = file;
  }

  /** Creates the folder. Required before writing. */
  prepare(): void {
    makePersonalFolder(path.dirname(this.file));
  }

  /** Recorded exit of this attempt; undefined if none is recorded. */
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

  /** Empties the file. Only safe when no run is at work and all are settled: no caller will need the lines. */
  clear(): void {
    if (this.bytes() > 0) truncateSync(this.file, 0);
  }

  /** Removes the file if it is empty. */
  close(): void {
    if (this.bytes() > 0) return;
    rmSync(this.file, { force: true });
    try {
      rmdirSync(path.dirname(this.file));
    } catch {
      // The folder holds a socket, or does not exist: both are harmless.
    }
  }

  private bytes(): number {
    return statSync(this.file, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Last part of the file: only attempts that were at work a moment ago matter. */
  private text(): string {
    const size = this.bytes();
    if (size === 0) return '';
    const bytes = Buffer.alloc(Math.min(size, WORK_LIMITS.runEndsBytes));
    const descriptor = openSync(this.file, 'r');
    try {
      return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, size - bytes.length));
    } finally {
      closeSync(descriptor);
    }
  }
}
