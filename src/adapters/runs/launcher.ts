/**
 * Runs as folders, forked by a launcher shell: starting, adopting, stopping, reading output; the registry; the
 * supervision of a client by the run program; its sandbox; checkpoints beside a run.
 * @packageDocumentation
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { LAUNCHER_FLAG } from '#core/runs/launcher-flag.js';
import type { Clock } from '#kernel/clock.js';
import { formatDuration } from '#kernel/duration.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';

export interface LauncherOptions {
  readonly script: string;
  readonly agentsFolder: string;
  /** File to which the ends of runs are appended, one line each. */
  readonly ends: string;
  readonly projectFolder: string;
  readonly environment: Record<string, string>;
  readonly clock: Clock;
  /**
   * Called when a run reports its end, with its process group. If the command ran, `exit` is its code, and `checked`
   * tells whether the code is that of the check.
   */
  onEnd(run: string, group: number, exit: { readonly code: number; readonly checked: boolean } | undefined): void;
  /** Called with the reason when the launcher died or could not be started: requested runs may never begin. */
  onGone(reason: string): void;
}

/** Request to the launcher. */
export interface LaunchRequest {
  readonly run: string;
  /** A JSON object, for the ticket of the run. */
  readonly record: string;
  /** A JSON object, for the line that records the end of the run. */
  readonly attempt: string;
  readonly command: string;
  /** Argument prefix before the shell of the command and of the check. */
  readonly sandbox: readonly string[];
  /** Working folder. */
  readonly folder: string;
  /** The check of the task, run after the command has succeeded; empty if there is none. */
  readonly check: string;
  /** Environment, as `NAME=value`. */
  readonly variables: readonly string[];
}

/** A small shell that forks runs on request. Started on first use, and again when it has died or does not respond. */
export class Launcher {
  private readonly options: LauncherOptions;
  private shell: ChildProcess | undefined;
  private unreadText = '';
  /** Unacknowledged requests, by run, with the time of each. */
  private readonly pending = new Map<string, number>();
  private heardAt = 0;
  /** Runs that have not reported their end. */
  private readonly unreportedRuns = new Set<string>();
  private suspected = false;

  constructor(options: LauncherOptions) {
    this.options = options;
  }

  get alive(): boolean {
    return this.shell !== undefined;
  }

  /** Requests a run. Throws if the request cannot be served. */
  launch({ run, record, attempt, command, sandbox, folder, check, variables }: LaunchRequest): void {
    const fields = [
      run,
      record.slice(1),
      attempt.slice(0, -1),
      command,
      folder,
      check,
      String(sandbox.length),
      ...sandbox,
      String(variables.length),
      ...variables,
    ];
    if (fields.some((field) => field.includes('\0'))) throw new Error('a command with a NUL character cannot run');
    for (const text of [command, check]) {
      if (Buffer.byteLength(text) > WORK_LIMITS.commandBytes)
        throw new Error(`a command of more than ${WORK_LIMITS.commandBytes} bytes cannot run: put it into a file`);
    }
    this.shell ??= this.start();
    this.pending.set(run, this.options.clock.now());
    this.unreportedRuns.add(run);
    (this.shell.stdin as Writable).write(`${fields.join('\0')}\0`);
  }

  /**
   * Kills the launcher if it has not responded for too long: it was stopped, or hangs. Called periodically. It must be
   * unresponsive twice in a row, because after the first call its answer may merely be unread.
   */
  look(): void {
    const [first] = this.pending.values();
    const silent = first === undefined ? 0 : this.options.clock.now() - Math.max(first, this.heardAt);
    const before = this.suspected;
    this.suspected = silent > WORK_LIMITS.launcherSilentMs;
    if (before && this.suspected) this.replace(`the launcher did not answer for ${formatDuration(silent)}`);
  }

  /** Called after the machine slept, or its clock was set: pending requests get their whole timeout again. */
  restartTimeouts(): void {
    this.heardAt = this.options.clock.now();
    for (const run of this.pending.keys()) this.pending.set(run, this.heardAt);
  }

  /**
   * Returns once these ended runs have reported their end, or after a timeout. If the service closed earlier, the shell
   * of a run would find no reader and start a process that settles the run again.
   */
  async endsOf(runs: readonly string[]): Promise<void> {
    for (let waited = 0; waited < WORK_LIMITS.launcherEndMs; waited += WORK_LIMITS.leftoversLookMs) {
      if (!runs.some((run) => this.unreportedRuns.has(run))) return;
      await delay(WORK_LIMITS.leftoversLookMs);
    }
  }

  /**
   * Closes the launcher and returns once it has exited; if it was stopped or hangs, it is killed. Its runs continue.
   */
  async close(): Promise<void> {
    const shell = this.shell;
    this.shell = undefined;
    shell?.removeAllListeners();
    shell?.stdin?.end();
    (shell?.stdio[3] as Readable | undefined)?.destroy();
    if (shell?.pid === undefined || shell.exitCode !== null || shell.signalCode !== null) return;
    const exit = new Promise<void>((resolve) => {
      shell.once('exit', () => resolve());
    });
    const patience = setTimeout(() => shell.kill('SIGKILL'), WORK_LIMITS.launcherEndMs);
    await exit;
    clearTimeout(patience);
  }

  private start(): ChildProcess {
    const { script, agentsFolder, ends, projectFolder, environment } = this.options;
    const shell = spawn('bash', ['--noprofile', '--norc', script, LAUNCHER_FLAG, agentsFolder, ends], {
      cwd: projectFolder,
      env: environment,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    });
    const lose = (reason: string) => {
      if (this.shell !== shell) return;
      this.forget();
      this.options.onGone(reason);
    };
    shell.once('exit', () => lose('the launcher was ended'));
    shell.once('error', (error) => lose(error.message));
    shell.stdin?.on('error', () => undefined); // it has exited: the `exit` listener handles that and the runs
    const reports = shell.stdio[3] as Readable;
    reports.setEncoding('utf8');
    reports.on('data', (chunk: string) => this.readReports(chunk));
    this.unreadText = '';
    for (const part of [shell, shell.stdin, reports])
      if (part !== null && 'unref' in part && typeof part.unref === 'function') part.unref();
    return shell;
  }

  /** Runs that it already started still report their ends: they hold the same pipe. */
  private replace(reason: string): void {
    const { shell } = this;
    this.forget();
    shell?.kill('SIGKILL');
    this.options.onGone(reason);
  }

  private forget(): void {
    this.shell = undefined;
    for (const run of this.pending.keys()) this.unreportedRuns.delete(run); // it never began
    this.pending.clear();
    this.suspected = false;
  }

  private readReports(chunk: string): void {
    this.heardAt = this.options.clock.now();
    this.suspected = false;
    const lines = (this.unreadText + chunk).split('\n');
    this.unreadText = lines.pop() ?? '';
    for (const line of lines) {
      const [run = '', group, code = '', checked = ''] = line.split(' ');
      this.pending.delete(run);
      if (group === undefined) continue; // acknowledged
      this.unreportedRuns.delete(run);
      const exit = /^\d{1,3}$/.test(code) ? { code: Number(code), checked: checked !== '' } : undefined;
      this.options.onEnd(run, Number(group), exit);
    }
  }
}
