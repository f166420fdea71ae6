import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, isRecent } from '#kernel/clock.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { Processes } from '#ports/processes.js';
import type { LiveRun } from './live-run.js';

/**
 * Passes over the process list. A killed process starts nothing more; a process started during a pass is found by the
 * next.
 */
const KILL_PASSES = 3;

/**
 * Kills all processes that carry the mark of one of these runs, belong to one of the sessions, or descend from such a
 * process. Returns the ids of the killed processes.
 */
export function endLeftovers(
  processes: Processes,
  folders: ReadonlySet<string>,
  sessions: ReadonlySet<number> = new Set(),
): ReadonlySet<number> {
  const ended = new Set<number>();
  for (let look = 0; look < KILL_PASSES; look++) {
    const pids = processes.belongingTo({ name: 'WG_RUN', values: folders, sessions });
    if (pids.length === 0) break;
    for (const pid of pids) {
      processes.signal(pid, 'SIGKILL');
      ended.add(pid);
    }
  }
  return ended;
}

/** Whether a process carries the mark of this run and of this task. */
function belongsToRun(processes: Processes, folder: string, taskId: string): boolean {
  const marked = (name: string, value: string) =>
    processes.belongingTo({ name, values: new Set([value]), sessions: new Set() });
  const ofTask = new Set(marked('WG_TASK_ID', taskId));
  return marked('WG_RUN', folder).some((pid) => ofTask.has(pid));
}

/**
 * Kills processes that runs leave behind. Finding them reads every process of the machine, so runs that end together
 * share one pass.
 */
export class Leftovers {
  private readonly processes: Processes;
  private readonly clock: Clock;
  private readonly folders = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private lookedAt = Number.NEGATIVE_INFINITY;
  /** Processes that were killed but may still exist: with many processes, a kill takes time. */
  private readonly ending = new Set<number>();

  constructor(processes: Processes, clock: Clock) {
    this.processes = processes;
    this.clock = clock;
  }

  /** Kills leftovers of a run immediately. */
  end(folder: string): void {
    this.folders.add(folder);
    this.flush();
  }

  /** Kills leftovers immediately if the last pass is long enough ago, otherwise after a short delay. */
  endSoon(folder: string): void {
    this.folders.add(folder);
    const since = this.clock.now() - this.lookedAt;
    if (since >= WORK_LIMITS.leftoversEveryMs) this.flush();
    else {
      this.timer ??= setTimeout(() => this.flush(), WORK_LIMITS.leftoversEveryMs);
      this.timer.unref();
    }
  }

  /** Performs all delayed passes. Returns once the killed processes are gone, or after a timeout. */
  async close(): Promise<void> {
    this.flush();
    for (let waited = 0; waited < WORK_LIMITS.leftoversGoneMs; waited += WORK_LIMITS.leftoversLookMs) {
      this.forgetGone();
      if (this.ending.size === 0) return;
      await delay(WORK_LIMITS.leftoversLookMs);
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

/** After the last sighting of its processes, time in which a run whose record was removed may write it again. */
const WRITTEN_AGAIN_MS = 2_000;

/** Runs whose folders were removed while they worked (`git clean -fdx`): each writes its record again when it ends. */
export class RemovedRecords {
  private readonly processes: Processes;
  /** Clock of this machine, which the times of its files are from. */
  private readonly machineClock: Clock;
  /** Last time a process of a run without a record was seen, by run. */
  private readonly markedAt = new Map<string, number>();

  constructor(processes: Processes, machineClock: Clock) {
    this.processes = processes;
    this.machineClock = machineClock;
  }

  /** Whether this run may still write its record again: one of its processes exists, or existed a moment ago. */
  mayReappear({ folder, plan }: LiveRun): boolean {
    if (existsSync(folder.folder)) return false;
    const now = this.machineClock.now();
    if (belongsToRun(this.processes, folder.folder, plan.taskId)) this.markedAt.set(plan.id, now);
    // The folder of all runs was removed before it was created again, so its creation time is an upper bound.
    const madeAt = statSync(path.dirname(folder.folder), { throwIfNoEntry: false })?.birthtimeMs ?? 0;
    return [madeAt, this.markedAt.get(plan.id) ?? 0].some((at) => isRecent(at, now, WRITTEN_AGAIN_MS));
  }
}
