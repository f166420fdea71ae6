import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Processes } from '#ports/processes.js';
import { belongsToRun } from './leftovers.js';
import type { LiveRun } from './live-run.js';
import { makeAgentsFolder } from './run-folder.js';

/** So long a run whose record somebody removed may take to write it again, after its last process was seen. */
const WRITTEN_AGAIN_MS = 2_000;

/** Runs whose folders were removed while they were at work (`git clean -fdx`): each writes its record again when it ends. */
export class RemovedRecords {
  private readonly processes: Processes;
  /** When a process of a run without a record was last seen. */
  private readonly markedAt = new Map<string, number>();

  constructor(processes: Processes) {
    this.processes = processes;
  }

  /** Whether this run may still write its record again: a process of it is there, or was a moment ago. */
  mayCome({ folder, plan }: LiveRun): boolean {
    if (existsSync(folder.folder)) return false;
    if (belongsToRun(this.processes, folder.folder, plan.taskId)) this.markedAt.set(plan.id, Date.now());
    // Whoever removed the folder of all runs did so before somebody made it again.
    const madeAt = statSync(path.dirname(folder.folder), { throwIfNoEntry: false })?.birthtimeMs ?? 0;
    return Date.now() - Math.max(madeAt, this.markedAt.get(plan.id) ?? 0) < WRITTEN_AGAIN_MS;
  }
}

/** What we know of an end that we can no longer settle: for whoever comes next, where the record is gone. */
export function writeAgain({ folder, record, pid, exit }: LiveRun): void {
  if (exit === undefined || record.fence === undefined || existsSync(folder.folder)) return;
  const ticket = { pid: pid ?? 0, start: '', ...record };
  try {
    makeAgentsFolder(path.dirname(folder.folder));
    mkdirSync(folder.folder, { mode: 0o700 });
    const lines = `${JSON.stringify(ticket)}\n{"code":${exit.code}}\n`;
    writeFileSync(path.join(folder.folder, 'run.jsonl'), lines, { flag: 'wx', mode: 0o600 });
  } catch {
    // A link, a full disk, or somebody was faster: whoever comes next finds what there is.
  }
}
