import { mkdirSync, readdirSync } from 'node:fs';
import type { EndReason, RunExit, RunFact } from '#core/coordinator/snapshot.js';
import { LIMITS } from '#kernel/limits.js';
import type { Processes } from '#ports/processes.js';
import type { RunHost, RunPlan } from '#ports/run-host.js';
import { ownVariables, sharedEnvironment } from './environment.js';
import { Launcher } from './launcher.js';
import { RunFolder, type RunPid, type RunRecord, recordOf, writeRunScript } from './run-folder.js';

/** A run that was asked for begins within this, or somebody has ended the launcher half-way. */
const BEGIN_WITHIN_MS = 10_000;

interface Live {
  readonly plan: Pick<RunPlan, 'id' | 'taskId' | 'fence' | 'startedAt' | 'timeoutMs'>;
  readonly folder: RunFolder;
  /** Asked of our launcher in this life; such a run may still be about to begin. */
  readonly asked: boolean;
  pid: number | undefined;
  outputBytes: number;
  alive: boolean;
  started: boolean;
  exit?: RunExit;
  startError?: string;
  ended?: EndReason;
  grace?: NodeJS.Timeout;
}

export interface ShellRunsOptions {
  /** `.workgraph/agents`. */
  readonly agentsFolder: string;
  readonly projectFolder: string;
  readonly processes: Processes;
  /** Our own command, for tasks that call it: becomes TROUPE_BIN. */
  readonly command: string;
  /** First number that may be used for a run, from the graph. */
  readonly firstNumber: number;
}

/** Runs shell commands, each in its own session and process group, so that they survive us and end as a whole. */
export class ShellRuns implements RunHost {
  private readonly options: ShellRunsOptions;
  private readonly launcher: Launcher;
  private readonly live = new Map<string, Live>();
  private number: number;
  private listener: () => void = () => undefined;
  private watch: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(options: ShellRunsOptions) {
    this.options = options;
    mkdirSync(options.agentsFolder, { recursive: true, mode: 0o700 });
    this.launcher = new Launcher({
      script: writeRunScript(options.agentsFolder),
      agentsFolder: options.agentsFolder,
      projectFolder: options.projectFolder,
      environment: sharedEnvironment(process.env, options),
      onEnd: (run, group, code) => this.ended(run, group, code),
      onGone: (reason) => this.launcherGone(reason),
    });
    const used = readdirSync(options.agentsFolder).map(numberOf);
    this.number = used.reduce((most, number) => Math.max(most, number + 1), options.firstNumber);
  }

  nextNumber(): number {
    return this.number;
  }

  onChange(listener: () => void): void {
    this.listener = listener;
  }

  async start(plan: RunPlan): Promise<void> {
    this.number = Math.max(this.number, Number(plan.id.replace('agent-', '')) + 1);
    const folder = new RunFolder(this.options.agentsFolder, plan.id);
    const run: Live = { plan, folder, asked: true, pid: undefined, outputBytes: 0, alive: true, started: true };
    this.live.set(plan.id, run);
    try {
      folder.create();
      this.launcher.launch(plan.id, JSON.stringify(recordOf(plan)), plan.command, ownVariables(plan, folder.folder));
    } catch (error) {
      this.over(run, (error as Error).message);
    }
    this.keepWatch();
  }

  async adopt(claims: readonly { run: string; taskId: string; fence: number }[]): Promise<void> {
    for (const claim of claims) {
      const number = numberOf(claim.run);
      if (this.live.has(claim.run) || number === 0) continue;
      this.number = Math.max(this.number, number + 1);
      const folder = new RunFolder(this.options.agentsFolder, claim.run);
      const record = folder.record();
      if (record && (record.task_id !== claim.taskId || record.fence !== claim.fence)) continue; // a name somebody borrowed
      const run = foundRun(folder, { ...claim, id: claim.run }, record);
      this.live.set(run.plan.id, run);
      this.look(run);
      this.endAgain(run);
    }
    for (const name of readdirSync(this.options.agentsFolder)) {
      if (numberOf(name) > 0 && !this.live.has(name)) this.adoptStray(new RunFolder(this.options.agentsFolder, name));
    }
    this.keepWatch();
  }

  /** A run without a claim: its task moved on while nobody looked. If it lives, somebody has to end it. */
  private adoptStray(folder: RunFolder): void {
    if (folder.hasEnded()) return;
    const record = folder.record();
    const pid = folder.pid();
    if (!record || (!pid && folder.voidTicket())) return;
    if (!pid || !this.isRun(pid)) return;
    const run = foundRun(folder, { id: record.id, taskId: record.task_id, fence: record.fence }, record);
    this.live.set(run.plan.id, run);
    this.look(run);
    this.endAgain(run);
  }

  /** Whoever told it to end was killed before the grace was over: the grace begins again. */
  private endAgain(run: Live): void {
    if (!run.alive || !run.ended) return;
    const { ended } = run;
    delete run.ended;
    this.end(run.plan.id, ended);
  }

  facts(): readonly RunFact[] {
    const facts: RunFact[] = [];
    for (const run of this.live.values()) {
      facts.push({
        id: run.plan.id,
        taskId: run.plan.taskId,
        fence: run.plan.fence,
        startedAt: run.plan.startedAt,
        timeoutMs: run.plan.timeoutMs,
        alive: run.alive,
        started: run.started,
        outputBytes: run.outputBytes,
        ...(run.exit ? { exit: run.exit } : {}),
        ...(run.startError ? { startError: run.startError } : {}),
        ...(run.ended ? { ended: run.ended } : {}),
      });
    }
    return facts;
  }

  end(id: string, why: EndReason): void {
    const run = this.live.get(id);
    if (!run?.alive || run.ended) return;
    if (run.folder.hasEnded()) return; // it was faster: its own end counts
    run.pid ??= run.folder.pid()?.pid;
    if (run.pid === undefined) {
      if (run.folder.voidTicket()) this.over(run); // it had not begun, and now never will
      return;
    }
    run.ended = why;
    try {
      run.folder.markEnded(why);
    } catch {
      // A full disk must not keep it alive; we remember the reason ourselves as long as we live.
    }
    this.options.processes.signalGroup(run.pid, 'SIGTERM');
    run.grace = setTimeout(() => this.kill(run), LIMITS.killGraceMs);
    run.grace.unref();
  }

  forget(id: string): void {
    const run = this.live.get(id);
    clearTimeout(run?.grace);
    this.live.delete(id);
    if (this.live.size === 0) this.stopWatch();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.stopWatch();
    for (const run of this.live.values()) clearTimeout(run.grace);
    this.launcher.close();
  }

  /** A run says itself that it is over, and how: its record need not be read again. */
  private ended(id: string, group: number, code: number | undefined): void {
    const run = this.live.get(id);
    if (!run) return;
    run.pid = group;
    if (code !== undefined) run.exit = { code, durationMs: Math.max(0, Date.now() - run.plan.startedAt) };
    this.over(run);
  }

  /** Runs that were asked for and have no ticket will never begin now; the others go on without the launcher. */
  private launcherGone(reason: string | undefined): void {
    for (const run of [...this.live.values()]) {
      if (run.asked && run.alive && !run.folder.pid() && run.folder.voidTicket()) this.over(run, reason);
    }
  }

  /** The run is over, or never came. What it left behind it tells: an exit record, or nothing. */
  private over(run: Live, startError?: string): void {
    if (this.closed || !run.alive) return;
    if (startError !== undefined) run.startError = startError;
    else if (run.pid !== undefined) this.options.processes.signalGroup(run.pid, 'SIGKILL'); // what it left in the background
    const exit = run.exit ?? run.folder.exit(run.plan.startedAt);
    if (exit && run.ended) this.sweep(run); // what we end, we end wherever it went; a normal end is spared the search
    if (exit) run.exit = exit;
    else if (startError === undefined) {
      this.sweep(run);
      run.started = run.folder.pid()?.void === false;
    }
    run.alive = false;
    this.listener();
  }

  /** Looks at a run's folder and process. */
  private look(run: Live): void {
    const exit = run.folder.exit(run.plan.startedAt || undefined);
    if (exit) {
      this.sweep(run); // what it left in the background
      run.exit = exit;
      run.alive = false;
      run.started = true;
      return;
    }
    const pid = run.folder.pid();
    if (!pid) {
      if (run.asked && this.launcher.alive && Date.now() - run.plan.startedAt < BEGIN_WITHIN_MS) return;
      // Claimed, but perhaps about to begin: taking the ticket settles it either way.
      run.started = !run.folder.voidTicket();
      run.alive = run.started && !run.folder.ticketIsTorn();
      if (run.started && !run.alive) this.sweep(run);
      return;
    }
    run.started = !pid.void;
    if (pid.void) {
      run.alive = false;
      return;
    }
    run.pid = pid.pid;
    run.alive = this.isRun(pid);
    if (!run.alive) {
      const late = run.folder.exit(run.plan.startedAt || undefined); // it may have ended between the two looks
      if (late) run.exit = late;
      else this.sweep(run);
    }
  }

  /** A pid alone is a lie; with its start time it is not. Where shells cannot tell it, the command line has to do. */
  private isRun({ pid, start }: RunPid): boolean {
    const { processes, agentsFolder } = this.options;
    return start === '' ? processes.commandOf(pid)?.includes(agentsFolder) === true : processes.startOf(pid) === start;
  }

  /** The grace is over: the group, and then whatever carries the run's mark wherever it moved to. */
  private kill(run: Live): void {
    if (run.alive && run.pid !== undefined) this.options.processes.signalGroup(run.pid, 'SIGKILL');
    this.sweep(run);
  }

  /** Ends whatever carries the run's mark, wherever it moved to: programs by their environment, forked shells by the file they hold. */
  private sweep({ folder }: Live): void {
    const { processes, agentsFolder } = this.options;
    const left = [
      ...processes.withEnvironment('WG_RUN', folder.folder),
      ...processes.holdingOpen(agentsFolder, folder.folder),
    ];
    for (const pid of left) processes.signal(pid, 'SIGKILL');
  }

  private keepWatch(): void {
    if (this.watch || this.live.size === 0) return;
    this.watch = setInterval(() => {
      for (const run of this.live.values()) {
        if (run.alive) this.look(run);
        if (run.alive) run.outputBytes = run.folder.outputBytes();
      }
      this.listener();
    }, LIMITS.adoptedRunPollMs);
    this.watch.unref();
  }

  private stopWatch(): void {
    clearInterval(this.watch);
    this.watch = undefined;
  }
}

/** The number in a run's name; 0 for any other name. */
function numberOf(name: string): number {
  return Number(/^agent-(\d{1,9})$/.exec(name)?.[1] ?? 0);
}

/** A run of an earlier life, before anybody looked whether it lives. */
function foundRun(
  folder: RunFolder,
  claim: { id: string; taskId: string; fence: number },
  record: RunRecord | undefined,
): Live {
  const ended = folder.ended();
  return {
    plan: {
      id: claim.id,
      taskId: claim.taskId,
      fence: claim.fence,
      startedAt: record?.started_at ?? 0,
      timeoutMs: record?.timeout_ms ?? LIMITS.taskTimeoutMs,
    },
    folder,
    asked: false,
    pid: undefined,
    outputBytes: 0,
    alive: false,
    started: false,
    ...(ended ? { ended } : {}),
  };
}
