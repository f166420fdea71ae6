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
  /** All of it, not what is added. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The built program in a process that stays: to start Node and to load the program is nearly all that a command costs. It
 * does one command line at a time, each as if it were the first; what matters to a process as such is not seen here. It ends
 * with whoever made it.
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

  /** Can do a command line at once. */
  get free(): boolean {
    return !this.#busy && this.alive;
  }

  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Whether the signal reached it. */
  signal(signal: NodeJS.Signals): boolean {
    return this.alive && this.#child.kill(signal);
  }

  /** Answers what its own process would have printed and ended with. */
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

  /** Returns once the process is gone. */
  async end(): Promise<void> {
    if (!this.alive) return;
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await gone;
  }
}
