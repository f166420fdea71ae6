import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '#kernel/clock.js';
import { LIMITS } from '#kernel/limits.js';
import type { Processes } from '#ports/processes.js';

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
    const left = processes.belongingTo({ name: 'WG_RUN', values: folders, sessions });
    if (left.length === 0) break;
    for (const pid of left) {
      processes.signal(pid, 'SIGKILL');
      ended.add(pid);
    }
  }
  return ended;
}

/** Whether a process says that it belongs to this very run. */
export function belongsToRun(processes: Processes, folder: string, taskId: string): boolean {
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
