import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface CommandLine {
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment, not additions. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The built program in a process that stays: starting Node and loading the program is nearly all that a command costs.
 * It runs one command line at a time, each as if it were the first; tests about processes must not use it. It ends with
 * its creator.
 */
export class ResidentProgram {
  readonly #child: ChildProcess;
  #busy = false;

  constructor(cli: string, env: Readonly<Record<string, string>>) {
    this.#child = fork(path.join(import.meta.dirname, 'resident.cjs'), [cli], {
      cwd: '/',
      env,
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  }

  /** Whether it can run a command line now. */
  get free(): boolean {
    return !this.#busy && this.alive;
  }

  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Sends a signal; returns whether it was delivered. */
  signal(signal: NodeJS.Signals): boolean {
    return this.alive && this.#child.kill(signal);
  }

  /** Returns output and exit code as of a process of its own. */
  async run(line: CommandLine): Promise<Finished> {
    this.#busy = true;
    try {
      return await new Promise<Finished>((resolve, reject) => {
        const ended = () => reject(new Error(`The resident program ended in: troupe ${line.args.join(' ')}`));
        this.#child.once('exit', ended);
        this.#child.once('message', (answer: Finished) => {
          this.#child.off('exit', ended);
          resolve(answer);
        });
        this.#child.send(line);
      });
    } finally {
      this.#busy = false;
    }
  }

  /** Resolves once the process has ended. */
  async end(): Promise<void> {
    if (!this.alive) return;
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await gone;
  }
}
