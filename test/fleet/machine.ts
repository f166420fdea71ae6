import { mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { git } from '../repository.js';
import { room } from '../room.js';
import { WITH_CLIENT } from '../scenarios/client-world.js';
import { CLI, type Finished, type Running, readJson, start, startTime, textOf, until } from '../scenarios/program.js';
import { type Line, SHARED_ADDRESS } from './network.js';

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures/fleet');
const COMMAND_MS = 120_000;

interface MachineOptions {
  readonly name: string;
  readonly line: Line;
  /** The bare repository, and the address of the database from the machine. */
  readonly hub: string;
  readonly database: string;
  readonly settings: string;
}

/** An event that a worker prints. */
export interface Told {
  readonly event: string;
  readonly run?: string;
  readonly task?: string;
  readonly text: string;
}

interface ServiceFile {
  readonly pid: number;
  readonly start_time: string;
  readonly stands_by?: boolean;
}

/** A machine on the network: a home, a clone of the repository, and the programs that run there. */
export class Machine {
  readonly name: string;
  readonly line: Line;
  readonly clone: string;
  private readonly folder: string;
  private readonly env: Readonly<Record<string, string>>;
  private worker: Running | undefined;
  private told = '';
  private skewMs = 0;

  private constructor({ name, line }: MachineOptions, folder: string) {
    this.name = name;
    this.line = line;
    this.folder = folder;
    this.clone = path.join(folder, 'clone');
    const place = {
      HOME: folder,
      XDG_CONFIG_HOME: path.join(folder, 'config'),
      XDG_RUNTIME_DIR: path.join(folder, 'run'),
    };
    // `ssh` of the fixtures reaches the hub only while the line is up.
    this.env = { ...WITH_CLIENT, ...place, USER: name, PATH: `${FIXTURES}:${WITH_CLIENT.PATH}` };
  }

  static async make(options: MachineOptions): Promise<Machine> {
    const { name, hub, database, settings } = options;
    const folder = realpathSync(room(name));
    const machine = new Machine(options, folder);
    const { clone } = machine;
    onTestFinished(() => machine.end());
    mkdirSync(path.join(folder, 'run'));
    git(folder, 'clone', '--quiet', '--origin', 'hub', '--', hub, clone);
    git(clone, 'remote', 'set-url', 'hub', `ssh://git@${SHARED_ADDRESS}${hub}`);
    git(clone, 'config', 'user.name', name);
    git(clone, 'config', 'user.email', `${name}@example.org`);
    mkdirSync(path.join(clone, '.workgraph'), { recursive: true });
    writeFileSync(path.join(clone, '.workgraph/config.toml'), settings);
    await machine.runs('database', 'use', database);
    await machine.runs('trust');
    return machine;
  }

  /** Runs a command there that must succeed. */
  async runs(...args: string[]): Promise<Finished> {
    const finished = await this.tries(...args);
    if (finished.code !== 0) throw new Error(`${this.name}: troupe ${args.join(' ')}: ${finished.stderr}`);
    return finished;
  }

  /** Runs a command there; kills it after the timeout. */
  async tries(...args: string[]): Promise<Finished> {
    const running = this.starts(args);
    const late = setTimeout(() => running.child.kill('SIGKILL'), COMMAND_MS);
    const finished = await running.finished;
    clearTimeout(late);
    return finished;
  }

  /** Sets the clock offset of programs started there from now on. */
  skew(milliseconds: number): void {
    this.skewMs = milliseconds;
  }

  /** Starts the service, which leads or stands by. Returns the reason if it does not start. */
  async serve(): Promise<string | undefined> {
    if (this.service() !== undefined) return undefined;
    const { code, stderr } = await this.tries('service', 'start', '--json');
    return code === 0 || /service_running/.test(stderr) ? undefined : stderr;
  }

  /** The service process there, if any, and whether it stands by. */
  service(): { readonly pid: number; readonly standsBy: boolean } | undefined {
    const file = readJson<ServiceFile>(path.join(this.clone, '.workgraph/service/state.json'));
    if (file === undefined || startTime(file.pid) !== file.start_time) return undefined;
    return { pid: file.pid, standsBy: file.stands_by === true };
  }

  /** Starts the worker, of this version or another, unless it runs. Returns the reason if it does not register. */
  async work(program = CLI): Promise<string | undefined> {
    if (this.worksHere) return undefined;
    this.told += this.worker?.stdout() ?? '';
    const words = ['worker', 'start', '--json', '--yes', '--name', this.name, '--slots', '2'];
    const worker = this.starts(words, program);
    this.worker = worker;
    const isOver = () => worker.child.exitCode !== null || worker.child.signalCode !== null;
    await until(`${this.name} to arrive`, () => worker.stdout().includes('"arrived"') || isOver());
    return isOver() ? (await worker.finished).stderr : undefined;
  }

  get worksHere(): boolean {
    return this.worker !== undefined && this.worker.child.exitCode === null && this.worker.child.signalCode === null;
  }

  /** All events that its workers printed. */
  events(): readonly Told[] {
    const lines = `${this.told}${this.worker?.stdout() ?? ''}`.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Told);
  }

  /** Kills only the worker or the service, with a successor that it has begun; the runs it started continue. */
  async killProgram(): Promise<void> {
    const { worker } = this;
    await until(`the program of ${this.name} to be gone`, () => {
      const left = worker ? [worker.child.pid ?? 0].filter((pid) => startTime(pid) !== undefined) : this.services();
      for (const pid of left) signal(pid, 'SIGKILL');
      return left.length === 0;
    });
    await worker?.finished;
  }

  /** Kills all processes there. */
  async kill(): Promise<void> {
    await until(`${this.name} to be still`, () => {
      const left = this.processes();
      for (const pid of left) signal(pid, 'SIGKILL');
      return left.length === 0;
    });
    await this.worker?.finished;
  }

  /** Stops all processes there; returns a function that continues them. */
  pause(): () => void {
    const paused = this.processes();
    for (const pid of paused) signal(pid, 'SIGSTOP');
    return () => {
      for (const pid of paused) signal(pid, 'SIGCONT');
    };
  }

  private starts(args: readonly string[], cli = CLI): Running {
    const [program = '', ...before] = [...this.line.before, process.execPath, cli];
    const skew = { NODE_OPTIONS: `--require=${path.join(FIXTURES, 'skew.cjs')}`, FLEET_SKEW_MS: String(this.skewMs) };
    const env = { ...this.env, ...(this.skewMs === 0 ? {} : skew) };
    return start(args, { cwd: this.clone, env, program: [program, ...before] });
  }

  private processes(): number[] {
    const isOfIt = (file: string) => textOf(file).includes(this.folder);
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => Number.isInteger(pid) && pid > 1 && startTime(pid) !== undefined)
      .filter((pid) => isOfIt(`/proc/${pid}/environ`) || isOfIt(`/proc/${pid}/cmdline`));
  }

  /** Processes of services, also of one that has not told where it is. */
  private services(): number[] {
    return this.processes().filter((pid) => textOf(`/proc/${pid}/cmdline`).includes('service.cjs'));
  }

  private async end(): Promise<void> {
    for (const pid of this.processes()) signal(pid, 'SIGCONT');
    await this.kill();
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
