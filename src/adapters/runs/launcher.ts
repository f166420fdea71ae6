import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

export interface LauncherOptions {
  readonly script: string;
  readonly agentsFolder: string;
  readonly projectFolder: string;
  readonly environment: Record<string, string>;
  /** A run says that it is over, with its process group and, if it ran at all, the code its record holds. */
  onEnd(run: string, group: number, code: number | undefined): void;
  /** The launcher is gone, or could not be started (then with the reason): runs it was asked for may never begin. */
  onGone(reason?: string): void;
}

export interface LaunchParts {
  readonly record: string;
  readonly command: string;
  /** Where it runs. */
  readonly folder: string;
  readonly variables: readonly string[];
}

/** A small shell that forks runs on request; started on first use and again whenever it is gone. */
export class Launcher {
  private readonly options: LauncherOptions;
  private shell: ChildProcess | undefined;
  private heard = '';

  constructor(options: LauncherOptions) {
    this.options = options;
  }

  get alive(): boolean {
    return this.shell !== undefined;
  }

  /** Asks for a run. Of its `parts` the record is a JSON object for its ticket, variables are `NAME=value`; NUL can be in none. */
  launch(run: string, { record, command, folder, variables }: LaunchParts): void {
    const fields = [run, record.slice(1), command, folder, String(variables.length), ...variables];
    if (fields.some((field) => field.includes('\0'))) throw new Error('a command with a NUL character cannot run');
    this.shell ??= this.start();
    (this.shell.stdin as Writable).write(`${fields.join('\0')}\0`);
  }

  /** Lets the launcher end; what it started goes on. */
  close(): void {
    const shell = this.shell;
    this.shell = undefined;
    shell?.removeAllListeners();
    shell?.stdin?.end();
    (shell?.stdio[3] as Readable | undefined)?.destroy();
  }

  private start(): ChildProcess {
    const { script, agentsFolder, projectFolder, environment } = this.options;
    const shell = spawn('bash', ['--noprofile', '--norc', script, '--serve', agentsFolder], {
      cwd: projectFolder,
      env: environment,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    });
    const gone = (reason?: string) => {
      if (this.shell !== shell) return;
      this.shell = undefined;
      this.options.onGone(reason);
    };
    shell.once('exit', () => gone());
    shell.once('error', (error) => gone(error.message));
    shell.stdin?.on('error', () => undefined); // it is gone: `exit` tells, and the runs are looked after there
    const ends = shell.stdio[3] as Readable;
    ends.setEncoding('utf8');
    ends.on('data', (chunk: string) => this.hear(chunk));
    this.heard = '';
    for (const part of [shell, shell.stdin, ends]) (part as unknown as { unref?(): void } | null)?.unref?.();
    return shell;
  }

  private hear(chunk: string): void {
    const lines = (this.heard + chunk).split('\n');
    this.heard = lines.pop() ?? '';
    for (const line of lines) {
      const [run = '', group = '', code = ''] = line.split(' ');
      this.options.onEnd(run, Number(group), /^\d{1,3}$/.test(code) ? Number(code) : undefined);
    }
  }
}
