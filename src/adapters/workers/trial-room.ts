import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { TroupeError } from '#kernel/errors.js';
import { PRIVATE_FOLDER } from '#kernel/file-modes.js';
import { WORKER_LIMITS } from '#kernel/limits/worker.js';

/** Variables that would direct git, a database or Troupe to data outside the room. */
const FOREIGN = /^(WG_|GIT_|PG|XDG_|TROUPE_(DATABASE_URL|PROJECT|RUN|BIN|DEBUG)$|(HOME|TMPDIR|PWD|OLDPWD)$)/;
/** Maximum length of the temporary folder's path: Unix socket paths are short. */
const LONGEST_PLACE = 60;

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Temporary folder with its own home; its programs end with it. */
export class TrialRoom {
  readonly folder: string;
  private readonly command: string;
  private readonly environment: Record<string, string>;
  private readonly signal: AbortSignal;
  private readonly followed: ChildProcess[] = [];
  private readonly atExit = () => this.endAtOnce();
  private ended: string | undefined;

  constructor(parts: { command: string; environment: NodeJS.ProcessEnv; signal: AbortSignal }) {
    this.command = parts.command;
    this.signal = parts.signal;
    this.folder = mkdtempSync(path.join(tmpdir().length > LONGEST_PLACE ? '/tmp' : tmpdir(), 'troupe-fleet-'));
    chmodSync(this.folder, 0o711); // the database user needs to traverse it
    const home = this.place('home');
    const kept = Object.entries(parts.environment).filter(([name]) => !FOREIGN.test(name)) as [string, string][];
    this.environment = {
      ...Object.fromEntries(kept),
      HOME: home,
      XDG_CONFIG_HOME: this.place('config'),
      XDG_RUNTIME_DIR: this.place('run'),
      TMPDIR: this.place('tmp'),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: path.join(home, '.gitconfig'),
    };
    writeFileSync(
      path.join(home, '.gitconfig'),
      '[user]\n\tname = fleet\n\temail = fleet@localhost\n[init]\n\tdefaultBranch = main\n',
    );
    process.on('exit', this.atExit);
  }

  /** Creates a private folder in the room. */
  place(name: string): string {
    const folder = path.join(this.folder, name);
    mkdirSync(folder, { mode: PRIVATE_FOLDER, recursive: true });
    return folder;
  }

  /** Passes the database address to programs started from now on. */
  takeDatabase(address: string): void {
    this.environment['TROUPE_DATABASE_URL'] = address;
  }

  async git(folder: string, ...words: readonly string[]): Promise<string> {
    this.signal.throwIfAborted();
    const { code, stdout, stderr } = await this.run('git', words, folder);
    if (code !== 0) throw failed(`git ${words[0]}`, stderr);
    return stdout;
  }

  /** Runs this program and returns its JSON output. Completes even after an abort, so that its effects are known. */
  async troupe<Answer>(folder: string, ...words: readonly string[]): Promise<Answer> {
    this.signal.throwIfAborted();
    return await this.troupeToTheEnd<Answer>(folder, ...words);
  }

  async troupeToTheEnd<Answer>(folder: string, ...words: readonly string[]): Promise<Answer> {
    const { code, stdout, stderr } = await this.run(process.execPath, [this.command, ...words, '--json'], folder);
    if (code !== 0) throw failed(`troupe ${words.join(' ')}`, stderr);
    return JSON.parse(stdout) as Answer;
  }

  /** Starts this program in the foreground and passes its JSON output lines to `hear` until the room is closed. */
  follow(folder: string, words: readonly string[], hear: (line: Record<string, string>) => void): void {
    const child = this.spawned(process.execPath, [this.command, ...words, '--json'], folder);
    this.followed.push(child);
    let complaint = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint = text));
    if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => hear(JSON.parse(line)));
    child.once('exit', (code) => (this.ended ??= `troupe ${words.join(' ')} ended with ${code}: ${complaint}`));
  }

  /** Polls until a condition holds. Errors: `fleet_failed` if a followed program has ended, or on timeout. */
  async until(about: string, milliseconds: number, isSo: () => boolean | Promise<boolean>): Promise<void> {
    const deadline = performance.now() + milliseconds;
    while (!(await isSo())) {
      this.signal.throwIfAborted();
      if (this.ended !== undefined) throw failed(about, this.ended);
      if (performance.now() > deadline) throw failed(about, 'it took too long');
      await setTimeout(WORKER_LIMITS.trialLookMs);
    }
  }

  /** Ends the followed programs: SIGTERM twice, so that their runs end too, then SIGKILL. */
  async endFollowed(): Promise<void> {
    const alive = () => this.followed.filter(isAlive);
    for (let elapsed = 0; alive().length > 0; elapsed += WORKER_LIMITS.trialLookMs) {
      const isLate = elapsed > WORKER_LIMITS.trialEndMs;
      if (elapsed % WORKER_LIMITS.trialAskMs === 0) for (const child of alive()) child.kill('SIGTERM');
      if (isLate) for (const child of alive()) child.kill('SIGKILL');
      await setTimeout(WORKER_LIMITS.trialLookMs);
    }
  }

  remove(): void {
    process.off('exit', this.atExit);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: WORKER_LIMITS.trialLookMs });
  }

  /** Last resort when this process exits: kills without waiting. */
  private endAtOnce(): void {
    for (const child of this.followed) child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private run(program: string, words: readonly string[], cwd: string): Promise<Ended> {
    const child = this.spawned(program, words, cwd);
    let [stdout, stderr] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, stdout, stderr }));
    });
  }

  /** Starts a program in its own process group, so that Ctrl-C in a terminal reaches only the trial. */
  private spawned(program: string, words: readonly string[], cwd: string): ChildProcess {
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    return spawn(program, words, { cwd, env: this.environment, stdio, detached: true });
  }
}

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

function failed(about: string, why: string): TroupeError {
  return new TroupeError('fleet_failed', { what: `The fleet did not finish its work: ${about}.`, why: why.trim() });
}
