import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { LIMITS } from '#kernel/limits.js';

export interface ProgramOutcome {
  /** Null when a signal ended it or it never began. */
  readonly code: number | null;
  readonly end: 'exited' | 'timed-out' | 'stopped' | 'missing' | 'not-started';
  /** Standard output and error as they came, the middle left out when there was too much. */
  readonly output: string;
  readonly durationMs: number;
}

/** What a program of the reviewed repository may know of ours. Everything else, keys above all, stays here. */
const PASSED_ON = [
  'PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR', 'TEMP', 'TMP',
  'JAVA_HOME', 'M2_HOME', 'MAVEN_HOME', 'CARGO_HOME', 'RUSTUP_HOME', 'GOROOT', 'GOPATH', 'GOMODCACHE', 'GOCACHE',
  'PYENV_ROOT', 'NVM_DIR', 'PNPM_HOME', 'VOLTA_HOME', 'ASDF_DIR', 'ASDF_DATA_DIR', 'MISE_DATA_DIR', 'NODE_EXTRA_CA_CERTS',
  'WG_RUN', // not a secret: the mark by which leftovers of this run are found and ended
  'TROUPE_TEST_ROOM', // likewise, of our own tests
]; // biome-ignore format: a list to be read as a block

/** No network, no colour, no questions, no traces outside the scratch copy, as far as tools can be told. */
const SAID_TO_TOOLS = {
  CI: '1',
  NO_COLOR: '1',
  FORCE_COLOR: '0',
  TERM: 'dumb',
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_NOSYSTEM: '1',
  npm_config_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
  npm_config_logs_max: '0',
  npm_config_loglevel: 'silent',
  COREPACK_ENABLE_NETWORK: '0',
  COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
  YARN_ENABLE_NETWORK: 'false',
  YARN_ENABLE_TELEMETRY: 'false',
  PYTHONDONTWRITEBYTECODE: '1',
  PIP_NO_INDEX: '1',
  CARGO_NET_OFFLINE: 'true',
  RUSTUP_AUTO_INSTALL: '0',
  GOPROXY: 'off',
  GOSUMDB: 'off',
  GOTOOLCHAIN: 'local',
  NEXT_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
} as const;

/**
 * The environment of a program of the reviewed repository: an allow-list, and only absolute folders to find programs in.
 * `scratch` is where package managers may keep what they would else leave in the user's home.
 */
export function programEnvironment(base: NodeJS.ProcessEnv, scratch: string): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {};
  for (const name of PASSED_ON) if (base[name] !== undefined) environment[name] = base[name];
  environment['PATH'] = (base['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .join(path.delimiter);
  return { ...environment, ...SAID_TO_TOOLS, npm_config_cache: path.join(scratch, 'npm') };
}

/**
 * Runs a program by its words, in a process group of its own, for at most `timeMs`. When the time is up, or this
 * process is told to end, the whole group gets TERM and, after a grace, KILL; what is left of the group when the
 * program has ended is killed too.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  options: { cwd: string; environment: NodeJS.ProcessEnv; timeMs: number; graceMs?: number },
): Promise<ProgramOutcome> {
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
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (chunk: Buffer) => output.add(chunk));
    child.stderr.on('data', (chunk: Buffer) => output.add(chunk));

    const stop = (why: 'timed-out' | 'stopped') => {
      if (end !== 'exited') return;
      end = why;
      signalGroup(child, 'SIGTERM');
      graceTimer = setTimeout(() => signalGroup(child, 'SIGKILL'), options.graceMs ?? LIMITS.commandGraceMs);
    };
    const onSignal = () => stop('stopped');
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
      signalGroup(child, 'SIGKILL'); // children it left behind
      child.stdout.destroy();
      child.stderr.destroy();
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
    const kept = end.subarray(Math.max(0, end.length - this.half));
    const dropped = this.dropped + end.length - kept.length;
    const gap = dropped === 0 ? '' : `\n… ${dropped} bytes left out …\n`;
    return `${Buffer.concat(this.head).toString('utf8')}${gap}${kept.toString('utf8')}`;
  }
}
