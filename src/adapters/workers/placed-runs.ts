import type { SpendLimit } from '#core/coordinator/budget.js';
import type { EndReason, RunFact } from '#core/coordinator/snapshot.js';
import type { WorkerRoom } from '#core/coordinator/vacancies.js';
import type { SilentWorker, WorkerProblem } from '#core/coordinator/worker-facts.js';
import type { RunStatus } from '#core/runs/run-status.js';
import type { ListedRun, RunClaim, RunHost, RunPlan } from '#ports/run-host.js';
import type { AttemptEnd } from '#ports/worker-gateway.js';
import type { AssignedTree, Workers } from '#ports/workers.js';

/** Runs at workers. `has`: whether a run is handed out to them, or theirs and not settled. */
type WorkerRuns = RunHost & Workers & { has(run: string): boolean };

/** All runs of a project, on this machine and at workers. Forwards each call to the host of its run. */
export class PlacedRuns implements RunHost, Workers {
  private readonly here: RunHost;
  private readonly far: WorkerRuns;

  constructor({ here, far }: { readonly here: RunHost; readonly far: WorkerRuns }) {
    this.here = here;
    this.far = far;
  }

  assignRun(run: string, tree: AssignedTree): void {
    this.far.assignRun(run, tree);
  }

  endOf(run: string): AttemptEnd | undefined {
    return this.far.endOf(run);
  }

  async rooms(): Promise<readonly WorkerRoom[]> {
    return await this.far.rooms();
  }

  async silent(): Promise<readonly SilentWorker[]> {
    return await this.far.silent();
  }

  async workerProblems(): Promise<readonly WorkerProblem[]> {
    return await this.far.workerProblems();
  }

  async prepare(plan: RunPlan): Promise<void> {
    await this.hostOf(plan.id).prepare(plan);
  }

  async discard(run: string): Promise<void> {
    await this.hostOf(run).discard(run);
  }

  async start(plan: RunPlan): Promise<void> {
    await this.hostOf(plan.id).start(plan);
  }

  async refuse(plan: Parameters<RunHost['refuse']>[0], reason: string): Promise<void> {
    await this.hostOf(plan.id).refuse(plan, reason);
  }

  /** Adopts the runs of workers first; this machine then investigates the remaining claims. */
  async adopt(claims: readonly RunClaim[]): Promise<number> {
    const highest = await this.far.adopt(claims);
    return Math.max(highest, await this.here.adopt(claims.filter(({ run }) => !this.far.has(run))));
  }

  async facts(): Promise<readonly RunFact[]> {
    return [...(await this.here.facts()), ...(await this.far.facts())];
  }

  async fact(run: string): Promise<RunFact | undefined> {
    return await this.hostOf(run).fact(run);
  }

  async listed(): Promise<readonly ListedRun[]> {
    return [...(await this.here.listed()), ...(await this.far.listed())];
  }

  async allow(run: string, limit: SpendLimit): Promise<void> {
    await this.hostOf(run).allow(run, limit);
  }

  async end(run: string, why: EndReason): Promise<void> {
    await this.hostOf(run).end(run, why);
  }

  async beat(run: string, fence: number): Promise<number | undefined> {
    return await this.hostOf(run).beat(run, fence);
  }

  async forget(run: string, status: RunStatus): Promise<void> {
    await this.hostOf(run).forget(run, status);
  }

  onChange(listener: () => void): void {
    this.here.onChange(listener);
    this.far.onChange(listener);
  }

  async close(): Promise<void> {
    await Promise.all([this.here.close(), this.far.close()]);
  }

  private hostOf(run: string): RunHost {
    return this.far.has(run) ? this.far : this.here;
  }
}
