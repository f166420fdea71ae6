import { type ChildProcess, spawn } from 'node:child_process';
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import type { ProgramOptions, ProgramOutcome, Programs } from '#ports/programs.js';

/** Implements the Programs port on this machine. */
export class LocalPrograms implements Programs {
  private readonly projectFolder: string;
  private readonly environment: Readonly<Record<string, string>>;

  /** `environment`: variables passed to the command of a task. */
  constructor(parts: { projectFolder: string; environment: Readonly<Record<string, string>> }) {
    this.projectFolder = parts.projectFolder;
    this.environment = parts.environment;
  }

  run(program: string, args: readonly string[], options: ProgramOptions): Promise<ProgramOutcome> {
    return runProgram(program, args, options);
  }

  command(
    command: string,
    { timeMs, variables = {}, folder = this.projectFolder, within = [], signal }: Parameters<Programs['command']>[1],
  ): Promise<ProgramOutcome> {
    const environment = { ...this.environment, ...variables };
    const [program = 'bash', ...words] = [...within, 'bash', '--noprofile', '--norc', '-c', command];
    return runProgram(program, words, {
      cwd: folder,
      environment,
      timeMs,
      ...(signal === undefined ? {} : { signal }),
    });
  }
}

/**
 * Whether EACCES means that the program does not exist: the system also reports it for an unreadable folder on PATH.
 */
function isNowhere(program: string, { code }: NodeJS.ErrnoException, { environment }: ProgramOptions): boolean {
  if (code !== 'EACCES' || program.includes('/')) return false;
  return !(environment['PATH'] ?? '').split(path.delimiter).some((folder) => isThere(path.join(folder, program)));
}

function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // its folder is not readable
  }
}

async function runProgram(program: string, args: readonly string[], options: ProgramOptions): Promise<ProgramOutcome> {
  const began = performance.now();
  const output = new Output(options.apartBytes ?? SURFACE_LIMITS.commandOutputBytes);
  const errors = options.apartBytes === undefined ? output : new Output(SURFACE_LIMITS.commandOutputBytes);
  let end: ProgramOutcome['end'] = 'exited';
  let graceTimer: NodeJS.Timeout | undefined;
  let lastWords: NodeJS.Timeout | undefined;
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: options.environment,
    detached: true,
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdout?.on('data', (chunk: Buffer) => output.add(chunk));
  child.stderr?.on('data', (chunk: Buffer) => errors.add(chunk));
  child.stdin?.on('error', () => child.stdin?.destroy()); // it ended before reading all input, or never started
  child.stdin?.end(options.input);

  const stop = (why: 'timed-out' | 'stopped') => {
    if (end !== 'exited') return;
    end = why;
    signalGroup(child, 'SIGTERM');
    graceTimer = setTimeout(() => signalGroup(child, 'SIGKILL'), options.graceMs ?? SURFACE_LIMITS.commandGraceMs);
  };
  const onSignal = () => stop('stopped');
  options.signal?.addEventListener('abort', onSignal);
  const timer = setTimeout(() => stop('timed-out'), options.timeMs);
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);

  const code = await new Promise<number | null>((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      end = error.code === 'ENOENT' || isNowhere(program, error, options) ? 'missing' : 'not-started';
      resolve(null);
    });
    child.on('close', resolve);
    // Another process of the group may hold the pipes open after the program has ended: do not wait for it.
    child.on('exit', (exitCode) => {
      lastWords = setTimeout(() => resolve(exitCode), LAST_WORDS_MS);
    });
  });
  for (const one of [timer, graceTimer, lastWords]) clearTimeout(one);
  process.off('SIGTERM', onSignal);
  process.off('SIGINT', onSignal);
  options.signal?.removeEventListener('abort', onSignal);
  signalGroup(child, 'SIGKILL'); // children it left behind
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  const apart = errors === output ? {} : { errors: errors.text() };
  return { code, end, output: output.text(), ...apart, durationMs: Math.round(performance.now() - began) };
}

/** Time for output to arrive after the program has ended. */
const LAST_WORDS_MS = 300;

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // ESRCH: no process of the group is left
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Keeps the beginning and the end of a stream of any length; the end is a ring buffer. */
class Output {
  private readonly half: number;
  private readonly head: Buffer;
  private readonly ring: Buffer;
  private bytes = 0;

  constructor(bytes: number) {
    this.half = Math.floor(bytes / 2);
    this.head = Buffer.alloc(this.half);
    this.ring = Buffer.alloc(this.half);
  }

  add(chunk: Buffer): void {
    chunk.copy(this.head, Math.min(this.bytes, this.half));
    let at = Math.max(0, chunk.length - this.half);
    while (at < chunk.length) at += chunk.copy(this.ring, (this.bytes + at) % this.half, at);
    this.bytes += chunk.length;
  }

  text(): string {
    const oldest = this.bytes % this.half;
    const newest = Buffer.concat([this.ring.subarray(oldest), this.ring.subarray(0, oldest)]);
    const tail = newest.subarray(this.half - Math.min(this.half, Math.max(0, this.bytes - this.half)));
    const dropped = Math.max(0, this.bytes - 2 * this.half);
    const gap = dropped === 0 ? '' : `\n… ${dropped} bytes left out …\n`;
    return `${this.head.toString('utf8', 0, this.bytes)}${gap}${tail.toString('utf8')}`;
  }
}
