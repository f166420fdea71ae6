import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { gitEnvironment, gitWords, notStarted } from './process.js';

interface Question {
  answer(commit: string | undefined): void;
  fail(error: unknown): void;
  readonly patience: NodeJS.Timeout;
}

/**
 * Resolves commit names with one long-lived git process: starting git costs twenty times as much as an answer. Reads
 * each ref anew. Ends after a second without requests, or with this process.
 */
export class CommitReader {
  private readonly git: ChildProcessByStdio<Writable, Readable, null>;
  private readonly questions: Question[] = [];
  private unread = '';
  private idle: NodeJS.Timeout | undefined;
  private over = false;

  /** `folder`: a folder in the repository. */
  constructor(environment: NodeJS.ProcessEnv, folder: string) {
    const { spawn } = process.getBuiltinModule('node:child_process');
    this.git = spawn('git', gitWords(['cat-file', '--batch-check=%(objectname) %(objecttype)'], {}), {
      cwd: folder,
      env: gitEnvironment(environment, {}),
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    this.git.stdin.on('error', () => undefined); // process gone: `close` reports it
    this.git.stdout.setEncoding('utf8').on('data', (text: string) => this.hear(text));
    this.git.once('error', (error) => this.failPending(notStarted(folder, error)));
    // A git that rejects the folder, for example without a repository, knows no commits.
    this.git.once('close', (code) =>
      this.failPending(code === null ? new TroupeError('git_failed', { what: 'git cat-file was ended.' }) : undefined),
    );
  }

  /** Whether it accepts no more requests. */
  get ended(): boolean {
    return this.over;
  }

  /**
   * Resolves a name to a full commit id; undefined if there is none. Errors: `git_missing`, `git_failed`, `unreadable`.
   */
  commit(name: string): Promise<string | undefined> {
    if (/[\n\0]/.test(name)) return Promise.resolve(undefined);
    clearTimeout(this.idle);
    for (const part of this.handles()) part.ref();
    return new Promise((resolve, reject) => {
      const patience = setTimeout(() => this.git.kill('SIGKILL'), SURFACE_LIMITS.gitTimeoutMs);
      this.questions.push({ answer: resolve, fail: reject, patience });
      this.git.stdin.write(`${name}^{commit}\n`);
    });
  }

  /** Ends the process after answering open requests. */
  end(): void {
    this.over = true;
    clearTimeout(this.idle);
    this.git.stdin.end();
  }

  private hear(text: string): void {
    const lines = (this.unread + text).split('\n');
    this.unread = lines.pop() ?? '';
    for (const line of lines) {
      const question = this.questions.shift();
      clearTimeout(question?.patience);
      question?.answer(/^([0-9a-f]{40,64}) commit$/.exec(line)?.[1]);
    }
    if (this.questions.length > 0 || this.over) return;
    for (const part of this.handles()) part.unref();
    this.idle = setTimeout(() => this.end(), SURFACE_LIMITS.gitReaderIdleMs);
    this.idle.unref();
  }

  private failPending(error: TroupeError | undefined): void {
    this.over = true;
    for (const { answer, fail, patience } of this.questions.splice(0)) {
      clearTimeout(patience);
      if (error === undefined) answer(undefined);
      else fail(error);
    }
  }

  /** Handles that keep this process alive while a request is open. The pipes are sockets, contrary to their types. */
  private handles(): Handle[] {
    const parts: readonly unknown[] = [this.git, this.git.stdin, this.git.stdout];
    return parts.filter((part): part is Handle => typeof (part as Partial<Handle>).unref === 'function');
  }
}

interface Handle {
  ref(): unknown;
  unref(): unknown;
}
