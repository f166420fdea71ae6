/**
 * Programs we wait for, each in a process group of its own, with a time box.
 * @packageDocumentation
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { LIMITS } from '#kernel/limits.js';
import type { ProgramOptions, ProgramOutcome, Programs } from '#ports/programs.js';

/** The Programs port on this machine. */
export class LocalPrograms implements Programs {
  private readonly projectFolder: string;
  private readonly environment: Readonly<Record<string, string>>;

  /** `environment`: what a task's command may know of ours. */
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

function runProgram(program: string, args: readonly string[], options: ProgramOptions): Promise<ProgramOutcome> {
  const began = performance.now();
  return new Promise((resolve) => {
    const output = new Output(LIMITS.commandOutputBytes);
    let end: ProgramOutcome['end'] = 'exited';
    let settled = false;
    let graceTimer: NodeJS.Timeout | undefined;
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.environment,
      detached: true,
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    child.stdout?.on('data', (chunk: Buffer) => output.add(chunk));
    child.stderr?.on('data', (chunk: Buffer) => output.add(chunk));
    child.stdin?.on('error', () => child.stdin?.destroy()); // it ended, or never began, before it had read all
    child.stdin?.end(options.input);

    const stop = (why: 'timed-out' | 'stopped') => {
      if (end !== 'exited') return;
      end = why;
      signalGroup(child, 'SIGTERM');
      graceTimer = setTimeout(() => signalGroup(child, 'SIGKILL'), options.graceMs ?? LIMITS.commandGraceMs);
    };
    const onSignal = () => stop('stopped');
    options.signal?.addEventListener('abort', onSignal);
    const timer = setTimeout(() => stop('timed-out'), options.timeMs);
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);

    const settle = (code: number | null) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      clearTimeout(graceTimer);
      process.off('SIGTERM', onSignal);
      process.off('SIGINT', onSignal);
      options.signal?.removeEventListener('abort', onSignal);
      signalGroup(child, 'SIGKILL'); // children it left behind
      child.stdin?.destroy();
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve({ code, end, output: output.text(), durationMs: Math.round(performance.now() - began) });
    };
    child.on('error', (error: NodeJS.ErrnoException) => {
      end = error.code === 'ENOENT' ? 'missing' : 'not-started';
      settle(null);
    });
    child.on('close', (code) => settle(code));
    // Somebody in the group may hold the pipes open after the program itself has ended: do not wait for them.
    child.on('exit', (code) => setTimeout(() => settle(code), LAST_WORDS_MS));
  });
}

/** How long output may still arrive after the program has ended. */
const LAST_WORDS_MS = 300;

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // ESRCH: nobody of the group is left, which is what was wanted
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Keeps the beginning and the end of a stream of any length. */
class Output {
  private readonly head: Buffer[] = [];
  private tail: Buffer[] = [];
  private headBytes = 0;
  private tailBytes = 0;
  private dropped = 0;
  private readonly half: number;

  constructor(bytes: number) {
    this.half = Math.floor(bytes / 2);
  }

  add(chunk: Buffer): void {
    const room = this.half - this.headBytes;
    const first = chunk.subarray(0, Math.max(0, room));
    if (first.length > 0) {
      this.head.push(first);
      this.headBytes += first.length;
    }
    const rest = chunk.subarray(first.length);
    if (rest.length === 0) return;
    this.tail.push(rest);
    this.tailBytes += rest.length;
    if (this.tailBytes > this.half * 2) {
      const joined = Buffer.concat(this.tail);
      this.dropped += joined.length - this.half;
      this.tail = [Buffer.from(joined.subarray(joined.length - this.half))];
      this.tailBytes = this.half;
    }
  }

  text(): string {
    const end = Buffer.concat(this.tail);
    const tail = end.subarray(Math.max(0, end.length - this.half));
    const dropped = this.dropped + end.length - tail.length;
    const gap = dropped === 0 ? '' : `\n… ${dropped} bytes left out …\n`;
    return `${Buffer.concat(this.head).toString('utf8')}${gap}${tail.toString('utf8')}`;
  }
}
