import { existsSync } from 'node:fs';
import type { RunFact } from '#core/coordinator/snapshot.js';
import { type Clock, systemClock } from '#kernel/clock.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { Processes } from '#ports/processes.js';
import type { ListedRun, RunClaim, RunHost } from '#ports/run-host.js';
import { RemovedRecords } from './leftovers.js';
import { exitOf, factOf, type LiveRun, recordedExit, takeHeartbeat } from './live-run.js';
import type { RunEnds } from './run-ends.js';
import { isRun } from './run-folder.js';
import { claimedRun, highestRun, runNames, strayRun } from './run-registry.js';

/** Runs as their folders show them, for readers: nothing is started, ended, voided or written. */
export class ReadOnlyRuns implements RunHost {
  private readonly agentsFolder: string;
  private readonly ends: RunEnds;
  private readonly processes: Processes;
  private readonly removed: RemovedRecords;
  private readonly clock: Clock;
  private runs: readonly LiveRun[] = [];

  constructor(agentsFolder: string, ends: RunEnds, processes: Processes, clock: Clock) {
    this.clock = clock;
    this.agentsFolder = agentsFolder;
    this.ends = ends;
    this.processes = processes;
    this.removed = new RemovedRecords(processes, systemClock);
  }

  async adopt(claims: readonly RunClaim[]): Promise<number> {
    const { agentsFolder, processes } = this;
    const now = this.clock.now();
    const claimed = claims.flatMap((claim) => claimedRun(agentsFolder, claim, now) ?? []);
    const claimedIds = new Set(claimed.map(({ plan }) => plan.id));
    const names = existsSync(agentsFolder) ? runNames(agentsFolder) : [];
    const strays = names.flatMap((name) =>
      claimedIds.has(name) ? [] : (strayRun(agentsFolder, name, processes, now) ?? []),
    );
    this.runs = [...claimed, ...strays];
    return names.length === 0 ? 0 : highestRun(agentsFolder);
  }

  async facts(): Promise<readonly RunFact[]> {
    return this.runs.map((run) => this.factOf(run));
  }

  async fact(id: string): Promise<RunFact | undefined> {
    const run = this.runs.find(({ plan }) => plan.id === id);
    return run && this.factOf(run);
  }

  async listed(): Promise<readonly ListedRun[]> {
    return [];
  }

  async prepare(): Promise<never> {
    throw onlyLookedAt();
  }
  async discard(): Promise<never> {
    throw onlyLookedAt();
  }
  async start(): Promise<never> {
    throw onlyLookedAt();
  }
  async refuse(): Promise<never> {
    throw onlyLookedAt();
  }
  async allow(): Promise<never> {
    throw onlyLookedAt();
  }
  async end(): Promise<never> {
    throw onlyLookedAt();
  }
  async beat(): Promise<never> {
    throw onlyLookedAt();
  }
  async forget(): Promise<never> {
    throw onlyLookedAt();
  }
  onChange(): never {
    throw onlyLookedAt();
  }
  async close(): Promise<never> {
    throw onlyLookedAt();
  }

  private factOf(run: LiveRun): RunFact {
    const { folder } = run;
    const exit = exitOf(run, recordedExit(run, this.ends));
    const pid = folder.pid();
    if (exit) run.exit = exit;
    const isHidden = !exit && !pid && this.mayCome(run);
    run.started = exit !== undefined || pid?.void === false || isHidden;
    run.alive = isHidden || (!exit && pid?.void === false && isRun(this.processes, this.agentsFolder, pid, run.record));
    takeHeartbeat(run, this.clock.now());
    return factOf(run, WORK_LIMITS.leaseMs);
  }

  /**
   * Same decision as in the process that hosts the runs. Without the folder of all runs, the host would create it and
   * wait a moment.
   */
  private mayCome(run: LiveRun): boolean {
    return !existsSync(this.agentsFolder) || this.removed.mayReappear(run);
  }
}

function onlyLookedAt(): Error {
  return new Error('These runs are only looked at');
}
