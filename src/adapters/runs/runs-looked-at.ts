import { existsSync, readdirSync } from 'node:fs';
import type { RunFact } from '#core/coordinator/snapshot.js';
import { LIMITS } from '#kernel/limits.js';
import type { Processes } from '#ports/processes.js';
import type { ListedRun, RunHost } from '#ports/run-host.js';
import { exitOf, factOf, foundRun } from './live-run.js';
import { isRun, RunFolder } from './run-folder.js';
import { readRegistry } from './run-registry.js';

interface Claim {
  readonly run: string;
  readonly taskId: string;
  readonly fence: number;
}

/** Runs as their folders tell of them, for those who only want to know: nothing is started, ended, voided or written. */
export class RunsLookedAt implements RunHost {
  private readonly agentsFolder: string;
  private readonly processes: Processes;
  private readonly claims: readonly Claim[];

  constructor(agentsFolder: string, processes: Processes, claims: readonly Claim[]) {
    this.agentsFolder = agentsFolder;
    this.processes = processes;
    this.claims = claims;
  }

  facts(): readonly RunFact[] {
    return this.claims.filter(({ run }) => /^agent-\d{1,9}$/.test(run)).map((claim) => this.factOf(claim));
  }

  nextNumber(): number {
    if (!existsSync(this.agentsFolder)) return 1;
    const used = readdirSync(this.agentsFolder).map((name) => Number(/^agent-(\d{1,9})$/.exec(name)?.[1] ?? 0));
    return used.reduce((most, number) => Math.max(most, number + 1), readRegistry(this.agentsFolder).next);
  }

  listed(): readonly ListedRun[] {
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
  refuse(): never {
    throw onlyLookedAt();
  }
  async adopt(): Promise<never> {
    throw onlyLookedAt();
  }
  end(): never {
    throw onlyLookedAt();
  }
  beat(): never {
    throw onlyLookedAt();
  }
  forget(): never {
    throw onlyLookedAt();
  }
  onChange(): never {
    throw onlyLookedAt();
  }
  async close(): Promise<never> {
    throw onlyLookedAt();
  }

  private factOf({ run: id, taskId, fence }: Claim): RunFact {
    const folder = new RunFolder(this.agentsFolder, id);
    const record = folder.record();
    const run = foundRun(folder, { id, taskId, fence }, record);
    const exit = exitOf(run, folder.exit(run.plan.startedAt || undefined));
    const pid = folder.pid();
    if (exit) run.exit = exit;
    run.started = exit !== undefined || pid?.void === false;
    run.alive = !exit && pid?.void === false && isRun(this.processes, this.agentsFolder, pid, record);
    const heartbeat = run.pulse?.read();
    if (heartbeat) run.heartbeat = heartbeat;
    return factOf(run, LIMITS.leaseMs);
  }
}

function onlyLookedAt(): Error {
  return new Error('These runs are only looked at');
}
