import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { SpendLimit } from '#core/coordinator/budget.js';
import type { EndReason, RunExit, RunFact } from '#core/coordinator/snapshot.js';
import { runNumber } from '#core/graph/run-name.js';
import type { RunStatus } from '#core/runs/run-status.js';
import { type Clock, isRecent, systemClock } from '#kernel/clock.js';
import { sha256 } from '#kernel/hash.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { RUN_TOKEN_PREFIX } from '#kernel/run-token.js';
import type { Processes } from '#ports/processes.js';
import type { RunDoors } from '#ports/run-doors.js';
import type { RunAtWork } from '#ports/run-folders.js';
import type { ListedRun, RunClaim, RunHost, RunPlan } from '#ports/run-host.js';
import type { Sandbox } from '#ports/sandbox.js';
import { CLIENT_COMMAND, writeLimit } from './client-files.js';
import { ownVariables, sharedEnvironment } from './environment.js';
import { writeGuard } from './git-guard.js';
import { Launcher } from './launcher.js';
import { Leftovers, RemovedRecords } from './leftovers.js';
import { exitOf, factOf, type LiveRun, newRun, reportForeignRecord, runLease } from './live-run.js';
import { cleanOutput } from './output-file.js';
import { PlanPlacer, type PlanPlacerOptions } from './plan-placer.js';
import type { RunEnds } from './run-ends.js';
import { makeAgentsFolder, RunFolder, ticketOf, writeRunScript } from './run-folder.js';
import { lookAtRun } from './run-look.js';
import { claimedRun, highestRun, RunRegistry, runNames, strayRun } from './run-registry.js';
import { preparedSandbox } from './run-sandbox.js';
import { startsNothing } from './run-script.js';

/** Heartbeat interval and lease of runs of clients, in milliseconds. */
export interface Pulse {
  readonly beatMs: number;
  readonly leaseMs: number;
}

export interface ShellRunsOptions extends PlanPlacerOptions {
  /** Recorded ends of runs whose folders are gone. */
  readonly ends: RunEnds;
  readonly processes: Processes;
  readonly clock: Clock;
  /** Our own command, for tasks that call it; becomes TROUPE_BIN. */
  readonly command: string;
  readonly sandbox: Sandbox;
  readonly doors: RunDoors;
  readonly pulse?: Pulse;
}

/**
 * Runs shell commands. Each has its own session and process group, so that it survives the service and ends as a whole.
 */
export class ShellRuns implements RunHost {
  private readonly options: ShellRunsOptions;
  private readonly launcher: Launcher;
  private readonly placer: PlanPlacer;
  private readonly registry: RunRegistry;
  private readonly leftovers: Leftovers;
  private readonly removed: RemovedRecords;
  private readonly pulse: Pulse;
  private readonly live = new Map<string, LiveRun>();
  private readonly tidying = new Set<Promise<void>>();
  /** Highest run number that was ever used here. */
  private highest: number;
  private listener: () => void = () => undefined;
  private watch: NodeJS.Timeout | undefined;
  private closed = false;
  private reportedAt = 0;

  constructor(options: ShellRunsOptions) {
    this.options = options;
    this.removed = new RemovedRecords(options.processes, systemClock);
    makeAgentsFolder(options.agentsFolder);
    writeGuard(options.agentsFolder);
    options.ends.prepare();
    this.launcher = new Launcher({
      script: writeRunScript(options.agentsFolder, options.runProgram),
      agentsFolder: options.agentsFolder,
      ends: options.ends.file,
      projectFolder: options.projectFolder,
      environment: sharedEnvironment(process.env, options),
      clock: options.clock,
      onEnd: (run, group, exit) => this.ended(run, group, exit),
      onGone: (reason) => this.launcherGone(reason),
    });
    this.placer = new PlanPlacer(options);
    this.leftovers = new Leftovers(options.processes, options.clock);
    this.pulse = options.pulse ?? { beatMs: WORK_LIMITS.heartbeatMs, leaseMs: WORK_LIMITS.leaseMs };
    this.registry = new RunRegistry(options.agentsFolder, options.processes, this.pulse.leaseMs);
    this.highest = highestRun(options.agentsFolder);
  }

  onChange(listener: () => void): void {
    this.listener = listener;
  }

  async prepare(plan: RunPlan): Promise<void> {
    if (plan.executor === undefined) return;
    this.count(plan.id);
    await this.placer.prepare(plan, plan.executor, this.pulse.beatMs);
  }

  async discard(id: string): Promise<void> {
    const folder = new RunFolder(this.options.agentsFolder, id);
    this.placer.discard(id);
    if (!this.live.has(id) && folder.isOnlyPrepared()) folder.remove();
  }

  async start(decided: RunPlan): Promise<void> {
    this.count(decided.id);
    const plan = await this.placer.toStart(decided);
    const token = `${RUN_TOKEN_PREFIX}${randomBytes(24).toString('base64url')}`;
    const proof = { tokenHash: sha256(token), boot: this.options.processes.self().boot };
    const owner = { taskId: plan.taskId, fence: plan.fence, tokenHash: proof.tokenHash };
    const folder = new RunFolder(this.options.agentsFolder, plan.id, owner);
    const record = ticketOf(plan.client ? { ...plan, command: CLIENT_COMMAND } : plan, proof);
    const run = newRun(plan, folder, record, this.options.clock.now());
    const sandbox = await preparedSandbox(this.options, plan, folder);
    this.live.set(plan.id, run);
    try {
      if ('error' in sandbox) throw sandbox.error;
      this.launcher.launch({
        run: plan.id,
        record: JSON.stringify(record),
        attempt: JSON.stringify({ run: plan.id, task_id: plan.taskId, fence: plan.fence }),
        command: record.command,
        sandbox: plan.client ? [] : sandbox.words,
        folder: plan.tree?.folder ?? this.options.projectFolder,
        check: plan.check,
        variables: ownVariables(plan, folder.folder, token),
      });
    } catch (error) {
      this.over(run, (error as Error).message);
    }
    this.keepWatch();
    this.wrote();
  }

  async refuse(
    plan: Omit<RunPlan, 'command' | 'check' | 'environment' | 'client' | 'sandboxed'>,
    reason: string,
  ): Promise<void> {
    this.count(plan.id);
    const { taskId, fence } = plan;
    const run = newRun(
      plan,
      new RunFolder(this.options.agentsFolder, plan.id, { taskId, fence }),
      {},
      this.options.clock.now(),
    );
    run.folder.voidTicket(); // a later service sees that it never began
    run.started = false;
    this.live.set(plan.id, run);
    this.over(run, reason);
  }

  async adopt(claims: readonly RunClaim[]): Promise<number> {
    const { agentsFolder, processes, clock } = this.options;
    for (const claim of claims) {
      this.count(claim.run);
      if (!this.live.has(claim.run)) await this.takeUp(claimedRun(agentsFolder, claim, clock.now()));
    }
    for (const name of runNames(agentsFolder)) {
      if (this.live.has(name)) continue;
      const folder = new RunFolder(agentsFolder, name);
      if (folder.isOnlyPrepared())
        folder.remove(); // the service was killed before it claimed the task
      else await this.takeUp(strayRun(agentsFolder, name, processes, clock.now()));
    }
    if (this.live.size === 0) this.options.ends.clear();
    this.keepWatch();
    this.wrote();
    return this.highest;
  }

  private count(run: string): void {
    this.highest = Math.max(this.highest, runNumber(run));
  }

  private async takeUp(run: LiveRun | undefined): Promise<void> {
    if (!run) return;
    const { id } = run.plan;
    this.live.set(id, run);
    this.look(run);
    await this.endAgain(run);
    if (run.alive && existsSync(this.options.doors.place(id))) await this.options.doors.open(id);
  }

  /**
   * Ends a run again whose grace period was cut short by the death of the previous service: the grace period starts
   * over.
   */
  private async endAgain(run: LiveRun): Promise<void> {
    if (!run.alive || !run.ended) return;
    const { ended } = run;
    delete run.ended;
    await this.end(run.plan.id, ended);
  }

  async facts(): Promise<readonly RunFact[]> {
    return [...this.live.values()].map((run) => factOf(run, this.pulse.leaseMs));
  }

  async fact(id: string): Promise<RunFact | undefined> {
    const run = this.live.get(id);
    return run && factOf(run, this.pulse.leaseMs);
  }

  /** Processes of runs that have begun and not ended, for finding the run of a process. */
  atWork(): readonly RunAtWork[] {
    return [...this.live.values()].flatMap((run) => {
      run.pid ??= run.alive ? run.folder.pid()?.pid : undefined;
      const start = run.alive && run.pid !== undefined ? this.options.processes.startOf(run.pid) : undefined;
      return run.pid === undefined || start === undefined
        ? []
        : [{ id: run.plan.id, process: { pid: run.pid, start } }];
    });
  }

  async listed(): Promise<readonly ListedRun[]> {
    return [...this.live.values()].map((run) => {
      run.pid ??= run.folder.pid()?.pid;
      const usage = run.result?.usage ?? run.heartbeat?.usage;
      return { ...this.registry.row(run), ...(usage === undefined ? {} : { usage }) };
    });
  }

  async beat(id: string, fence: number): Promise<number | undefined> {
    const run = this.live.get(id);
    if (!run?.alive || run.plan.fence !== fence) return undefined;
    run.seenAt = this.options.clock.now();
    return runLease(run, this.pulse.leaseMs) ?? run.seenAt + this.pulse.leaseMs;
  }

  async allow(id: string, limit: SpendLimit): Promise<void> {
    const run = this.live.get(id);
    if (run?.alive && run.plan.executor !== undefined) writeLimit(run.folder.folder, limit);
  }

  async end(id: string, why: EndReason): Promise<void> {
    const run = this.live.get(id);
    if (!run?.alive || run.ended) return;
    if (run.folder.hasEnded()) return; // it ended first: its own exit counts
    run.pid ??= run.folder.pid()?.pid;
    if (run.pid === undefined) {
      if (!run.folder.voidTicket()) return;
      this.sweep(run); // its record was removed, but its processes exist
      this.over(run); // or it had not begun, and now never will
      return;
    }
    run.ended = why;
    try {
      run.folder.markEnded(why);
    } catch {
      // A full disk must not keep the run alive; the reason is kept in memory while this service runs.
    }
    this.options.processes.signalGroup(run.pid, 'SIGTERM');
    // The run program gives its client the same grace period, and then needs time to record its end.
    run.grace = setTimeout(() => this.kill(run), WORK_LIMITS.killGraceMs * (run.plan.executor === undefined ? 1 : 2));
    run.grace.unref();
    this.wrote();
  }

  async forget(id: string, status: RunStatus): Promise<void> {
    const run = this.live.get(id);
    if (!run) return;
    clearTimeout(run.grace);
    this.registry.over(run, status);
    this.live.delete(id);
    if (run.plan.executor === undefined) this.tidy(run.folder.output);
    this.beside(this.options.doors.close(id));
    if (this.live.size === 0) this.options.ends.clear();
    if (this.live.size === 0) this.stopWatch();
    this.wrote();
  }

  async close(): Promise<void> {
    this.stopWatch();
    // Runs whose shell exists, or is yet to start, and so will report its end.
    const mayTell = ({ pid }: LiveRun) => pid === undefined || this.options.processes.startOf(pid) !== undefined;
    const over = [...this.live.values()].filter((run) => run.requested && !run.alive && mayTell(run));
    await this.launcher.endsOf(over.map((run) => run.plan.id));
    this.closed = true;
    this.registry.close(this.live.values(), this.highest + 1);
    for (const run of this.live.values()) clearTimeout(run.grace);
    await Promise.all([this.leftovers.close(), this.launcher.close(), ...this.tidying]);
    this.options.ends.close();
  }

  /** Redacts secrets in the output of a command in the background. Until that is done, readers redact them. */
  private tidy(output: string): void {
    this.beside(cleanOutput(output, WORK_LIMITS.outputBytes).catch(() => undefined)); // full disk: readers redact it
  }

  private beside(task: Promise<void>): void {
    const work = task.then(() => {
      this.tidying.delete(work);
    });
    this.tidying.add(work);
  }

  /** Handles the end that a run reported itself: its record need not be read again. */
  private ended(id: string, group: number, exit: { code: number; checked: boolean } | undefined): void {
    const run = this.live.get(id);
    if (!run) return;
    run.pid = group;
    const durationMs = Math.max(0, this.options.clock.now() - run.plan.startedAt);
    // Output is needed after a check, or after a failed command; otherwise the record need not be read.
    this.over(run, undefined, exit && !exit.checked && exit.code === 0 ? { code: exit.code, durationMs } : undefined);
  }

  /** Requested runs without a ticket will never begin now; the others continue without the launcher. */
  private launcherGone(reason: string): void {
    for (const run of [...this.live.values()]) {
      if (run.requested && run.alive && !run.folder.pid() && run.folder.voidTicket()) this.over(run, reason);
    }
  }

  /** Marks a run as over, with the exit record it left behind, if any. */
  private over(run: LiveRun, startError?: string, reported?: RunExit): void {
    if (this.closed || !run.alive) return;
    if (startError !== undefined) run.startError = startError;
    else if (run.pid !== undefined) this.options.processes.signalGroup(run.pid, 'SIGKILL'); // its background processes
    const exit = exitOf(run, reported ?? run.folder.exit(run.plan.startedAt));
    if (!exit || run.ended !== undefined || run.plan.executor !== undefined) {
      if (exit || startError === undefined) this.sweep(run);
    } else if (!startsNothing(run.record.command ?? '') || exit.check !== undefined) this.sweep(run, 'soon');
    if (exit) run.exit = exit;
    else if (startError === undefined) {
      run.started = run.folder.pid()?.void === false;
      reportForeignRecord(run);
    } else run.started = false;
    run.alive = false;
    this.listener();
  }

  private look(run: LiveRun): void {
    lookAtRun(run, {
      ...this.options,
      removed: this.removed,
      launches: this.launcher.alive,
      sweep: () => this.sweep(run),
    });
  }

  /** Kills the run after the grace period: its process group, then all processes that carry its mark. */
  private kill(run: LiveRun): void {
    if (run.alive && run.pid !== undefined) this.options.processes.signalGroup(run.pid, 'SIGKILL');
    this.sweep(run);
  }

  /**
   * Kills all processes that carry the mark of the run. If another run has taken over the folder, its processes carry
   * the same mark, so nothing is killed.
   */
  private sweep({ folder }: LiveRun, when: 'now' | 'soon' = 'now'): void {
    if (folder.foreignRecord() !== undefined) return;
    if (when === 'now') this.leftovers.end(folder.folder);
    else this.leftovers.endSoon(folder.folder);
  }

  private keepWatch(): void {
    if (this.watch || this.live.size === 0) return;
    const { clock } = this.options;
    let lastLook = clock.now();
    this.watch = setInterval(() => {
      const now = clock.now();
      // The machine slept, and its runs with it, or its clock was set: they get their whole lease again.
      if (!isRecent(lastLook, now, WORK_LIMITS.sleptMs)) {
        for (const run of this.live.values()) run.seenAt = now;
        this.launcher.restartTimeouts();
      }
      lastLook = now;
      this.launcher.look();
      for (const run of this.live.values()) {
        if (run.alive) this.look(run);
        if (run.alive) run.outputBytes = run.folder.outputBytes();
      }
      this.listener();
      if (this.options.clock.now() - this.reportedAt >= WORK_LIMITS.heartbeatMs) this.wrote();
    }, WORK_LIMITS.adoptedRunPollMs);
    this.watch.unref();
  }

  private wrote(): void {
    this.reportedAt = this.options.clock.now();
    if (!this.closed)
      this.registry.changed(
        () => this.live.values(),
        () => this.highest + 1,
      );
  }

  private stopWatch(): void {
    clearInterval(this.watch);
    this.watch = undefined;
  }
}
