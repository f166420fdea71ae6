import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '#kernel/clock.js';
import { LIMITS } from '#kernel/limits.js';
import type { Processes } from '#ports/processes.js';
import type { LiveRun } from './live-run.js';

/** What is ended begins nothing more; what it began while we looked is found by the next look. */
const LOOKS = 3;

/** Ends whatever carries the mark of one of these runs, or belongs to something that does, wherever it moved to; answers whom it told. */
export function endLeftovers(
  processes: Processes,
  folders: ReadonlySet<string>,
  sessions: ReadonlySet<number> = new Set(),
): ReadonlySet<number> {
  const ended = new Set<number>();
  for (let look = 0; look < LOOKS; look++) {
    const pids = processes.belongingTo({ name: 'WG_RUN', values: folders, sessions });
    if (pids.length === 0) break;
    for (const pid of pids) {
      processes.signal(pid, 'SIGKILL');
      ended.add(pid);
    }
  }
  return ended;
}

/** Whether a process says that it belongs to this very run. */
function belongsToRun(processes: Processes, folder: string, taskId: string): boolean {
  const marked = (name: string, value: string) =>
    processes.belongingTo({ name, values: new Set([value]), sessions: new Set() });
  const ofTask = new Set(marked('WG_TASK_ID', taskId));
  return marked('WG_RUN', folder).some((pid) => ofTask.has(pid));
}

/** What runs leave running ends with them. Looking for it reads every process of the machine: runs that end together share a look. */
export class Leftovers {
  private readonly processes: Processes;
  private readonly clock: Clock;
  private readonly folders = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private lookedAt = Number.NEGATIVE_INFINITY;
  /** What was ended and was not seen to be gone yet: a killed process may take its time where many run. */
  private readonly ending = new Set<number>();

  constructor(processes: Processes, clock: Clock) {
    this.processes = processes;
    this.clock = clock;
  }

  /** At once. */
  end(folder: string): void {
    this.folders.add(folder);
    this.flush();
  }

  /** At once too where nobody looked lately, else soon. */
  endSoon(folder: string): void {
    this.folders.add(folder);
    const since = this.clock.now() - this.lookedAt;
    if (since >= LIMITS.leftoversEveryMs) this.flush();
    else {
      this.timer ??= setTimeout(() => this.flush(), LIMITS.leftoversEveryMs);
      this.timer.unref();
    }
  }

  /** Nothing that was asked for is left to later; returns once it is gone, or after a while. */
  async close(): Promise<void> {
    this.flush();
    for (let waited = 0; waited < LIMITS.leftoversGoneMs; waited += LIMITS.leftoversLookMs) {
      this.forgetGone();
      if (this.ending.size === 0) return;
      await delay(LIMITS.leftoversLookMs);
    }
  }

  private forgetGone(): void {
    for (const pid of this.ending) if (this.processes.startOf(pid) === undefined) this.ending.delete(pid);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.folders.size === 0) return;
    this.forgetGone();
    for (const pid of endLeftovers(this.processes, this.folders)) this.ending.add(pid);
    this.folders.clear();
    this.lookedAt = this.clock.now();
  }
}

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
