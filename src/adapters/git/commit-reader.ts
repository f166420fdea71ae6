import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { gitEnvironment, gitWords, notStarted } from './process.js';

interface Question {
  answer(commit: string | undefined): void;
  fail(error: unknown): void;
  readonly patience: NodeJS.Timeout;
}

/**
 * One git that tells of name after name which commit it stands for: to start a git costs twenty times as much as an answer. It
 * reads each ref anew, and ends when nobody asks for a second or its owner is gone.
 */
export class CommitReader {
  private readonly git: ChildProcessByStdio<Writable, Readable, null>;
  private readonly questions: Question[] = [];
  private unread = '';
  private idle: NodeJS.Timeout | undefined;
  private over = false;

  /** `folder`: in the repository. */
  constructor(environment: NodeJS.ProcessEnv, folder: string) {
    this.git = spawn('git', gitWords(['cat-file', '--batch-check=%(objectname) %(objecttype)'], {}), {
      cwd: folder,
      env: gitEnvironment(environment, {}),
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    this.git.stdin.on('error', () => undefined); // it is gone: `close` tells
    this.git.stdout.setEncoding('utf8').on('data', (text: string) => this.hear(text));
    this.git.once('error', (error) => this.lose(notStarted(folder, error)));
    // One that refused to read here, as where there is no repository, knows of no commit.
    this.git.once('close', (code) =>
      this.lose(code === null ? new TroupeError('git_failed', { what: 'git cat-file was ended.' }) : undefined),
    );
  }

  /** It answers no more questions. */
  get ended(): boolean {
    return this.over;
  }

  /** The full id of a commit; undefined where the name stands for none. Errors: `git_missing`, `unreadable`, `git_failed`. */
  commit(name: string): Promise<string | undefined> {
    if (/[\n\0]/.test(name)) return Promise.resolve(undefined);
    clearTimeout(this.idle);
    for (const part of this.handles()) part.ref();
    return new Promise((resolve, reject) => {
      const patience = setTimeout(() => this.git.kill('SIGKILL'), LIMITS.gitTimeoutMs);
      this.questions.push({ answer: resolve, fail: reject, patience });
      this.git.stdin.write(`${name}^{commit}\n`);
    });
  }

  /** What was asked is answered yet. */
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
    this.idle = setTimeout(() => this.end(), LIMITS.gitReaderIdleMs);
    this.idle.unref();
  }

  private lose(error: TroupeError | undefined): void {
    this.over = true;
    for (const { answer, fail, patience } of this.questions.splice(0)) {
      clearTimeout(patience);
      if (error === undefined) answer(undefined);
      else fail(error);
    }
  }

  /** What keeps our process alive as long as it is waited for: the pipes are sockets, whatever their types say. */
  private handles(): Handle[] {
    const parts: readonly unknown[] = [this.git, this.git.stdin, this.git.stdout];
    return parts.filter((part): part is Handle => typeof (part as Partial<Handle>).unref === 'function');
  }
}

interface Handle {
  ref(): unknown;
  unref(): unknown;
}
