/**
 * Runs as folders, forked by a launcher shell: starting, adopting, stopping, reading output; the registry; the
 * supervision of a client by the run program.
 * @packageDocumentation
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { LAUNCHER_FLAG } from '#core/runs/launcher-flag.js';
import type { Clock } from '#kernel/clock.js';
import { formatDuration } from '#kernel/duration.js';
import { LIMITS } from '#kernel/limits.js';

export interface LauncherOptions {
  readonly script: string;
  readonly agentsFolder: string;
  /** Where the ends of runs are told, a line each. */
  readonly ends: string;
  readonly projectFolder: string;
  readonly environment: Record<string, string>;
  readonly clock: Clock;
  /** A run says that it is over, with its process group and, if it ran at all, the code its record holds and whose that is. */
  onEnd(run: string, group: number, exit: { readonly code: number; readonly checked: boolean } | undefined): void;
  /** The launcher is gone, or could not be started, and why: runs it was asked for may never begin. */
  onGone(reason: string): void;
}

/** What a launcher is asked for. */
export interface LaunchRequest {
  readonly run: string;
  /** A JSON object for its ticket. */
  readonly record: string;
  /** A JSON object, for the line that tells its end. */
  readonly attempt: string;
  readonly command: string;
  /** Words before the shell of the command, and of the check. */
  readonly sandbox: readonly string[];
  /** Where it runs. */
  readonly folder: string;
  /** What decides, after the good end of the command; empty when nothing does. */
  readonly check: string;
  /** `NAME=value`. */
  readonly variables: readonly string[];
}

/** A small shell that forks runs on request; started on first use and again whenever it is gone, or no longer listens. */
export class Launcher {
  private readonly options: LauncherOptions;
  private shell: ChildProcess | undefined;
  private unreadText = '';
  /** When it was asked for runs that it has not acknowledged yet. */
  private readonly pending = new Map<string, number>();
  private heardAt = 0;
  /** Runs that have not said yet that they are over. */
  private readonly unheard = new Set<string>();
  private suspected = false;

  constructor(options: LauncherOptions) {
    this.options = options;
  }

  get alive(): boolean {
    return this.shell !== undefined;
  }

  /** Asks for a run. Throws when there can be no such run. */
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
      if (Buffer.byteLength(text) > LIMITS.commandBytes)
        throw new Error(`a command of more than ${LIMITS.commandBytes} bytes cannot run: put it into a file`);
    }
    this.shell ??= this.start();
    this.pending.set(run, this.options.clock.now());
    this.unheard.add(run);
    (this.shell.stdin as Writable).write(`${fields.join('\0')}\0`);
  }

  /**
   * Ends it when it has not answered for too long: it was stopped, or hangs. Called from time to time; the second look in a
   * row decides, as what it said may only not have been read yet.
   */
  look(): void {
    const [first] = this.pending.values();
    const silent = first === undefined ? 0 : this.options.clock.now() - Math.max(first, this.heardAt);
    const before = this.suspected;
    this.suspected = silent > LIMITS.launcherSilentMs;
    if (before && this.suspected) this.replace(`the launcher did not answer for ${formatDuration(silent)}`);
  }

  /** The machine slept: what was asked before has its whole time anew. */
  excuse(): void {
    this.heardAt = this.options.clock.now();
  }

  /**
   * Returns once these runs, which are over, have said so, or after a while: a shell that finds nobody to tell would begin to settle what
   * is settled.
   */
  async endsOf(runs: readonly string[]): Promise<void> {
    for (let waited = 0; waited < LIMITS.launcherEndMs; waited += LIMITS.leftoversLookMs) {
      if (!runs.some((run) => this.unheard.has(run))) return;
      await delay(LIMITS.leftoversLookMs);
    }
  }

  /** Lets the launcher end, and returns once it is gone: one that was stopped, or hangs, is killed. What it started goes on. */
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
    const patience = setTimeout(() => shell.kill('SIGKILL'), LIMITS.launcherEndMs);
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
    shell.stdin?.on('error', () => undefined); // it is gone: `exit` tells, and the runs are looked after there
    const reports = shell.stdio[3] as Readable;
    reports.setEncoding('utf8');
    reports.on('data', (chunk: string) => this.hear(chunk));
    this.unreadText = '';
    for (const part of [shell, shell.stdin, reports])
      if (part !== null && 'unref' in part && typeof part.unref === 'function') part.unref();
    return shell;
  }

  /** Runs that it did start go on to tell of their end: they hold the same pipe. */
  private replace(reason: string): void {
    const { shell } = this;
    this.forget();
    shell?.kill('SIGKILL');
    this.options.onGone(reason);
  }

  private forget(): void {
    this.shell = undefined;
    for (const run of this.pending.keys()) this.unheard.delete(run); // it never began
    this.pending.clear();
    this.suspected = false;
  }

  private hear(chunk: string): void {
    this.heardAt = this.options.clock.now();
    this.suspected = false;
    const lines = (this.unreadText + chunk).split('\n');
    this.unreadText = lines.pop() ?? '';
    for (const line of lines) {
      const [run = '', group, code = '', checked = ''] = line.split(' ');
      this.pending.delete(run);
      if (group === undefined) continue; // acknowledged
      this.unheard.delete(run);
      const exit = /^\d{1,3}$/.test(code) ? { code: Number(code), checked: checked !== '' } : undefined;
      this.options.onEnd(run, Number(group), exit);
    }
  }
}
