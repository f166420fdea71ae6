import { closeSync, constants, existsSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import { type Clock, timestamp } from '#kernel/clock.js';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '#kernel/file-modes.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert } from '#kernel/text.js';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;

/**
 * Log of the service, one line per event, without secrets. Rotated when it reaches its size limit; only the latest
 * files are kept.
 */
export class DaemonLog {
  private readonly path: string;
  private readonly clock: Clock;
  private open: OpenFile | undefined;
  private waiting: string[] = [];
  /** Latest text and its printable form: a request often comes many times in a row, and masking takes longer than writing. */
  private latest = { text: '', message: '' };
  private moment = { at: 0, text: '' };

  constructor(file: string, clock: Clock) {
    this.path = file;
    this.clock = clock;
  }

  /**
   * Adds a line. Lines are written together, at most `WORK_LIMITS.daemonLogDelayMs` later: a write for each request would
   * take as long as its decision. `flush` writes them when the process ends.
   */
  note(text: string): void {
    if (text !== this.latest.text) this.latest = { text, message: printable(text) };
    if (this.waiting.length === 0) setTimeout(() => this.flush(), WORK_LIMITS.daemonLogDelayMs).unref();
    const at = this.clock.now();
    if (at !== this.moment.at) this.moment = { at, text: timestamp(at) };
    this.waiting.push(`${this.moment.text} ${this.latest.message}\n`);
  }

  /** Never throws: with a full disk the log is lost, but the service goes on. */
  flush(): void {
    const lines = this.waiting;
    if (lines.length === 0) return;
    this.waiting = [];
    let text = '';
    try {
      for (const line of lines) {
        if (this.file.bytes + text.length + line.length > WORK_LIMITS.daemonLogBytes) {
          this.write(text);
          text = '';
          this.turnOver();
        }
        text += line;
      }
      this.write(text);
    } catch {
      // There is nowhere left to report to.
    }
  }

  private get file(): OpenFile {
    this.open ??= this.opened();
    return this.open;
  }

  private write(text: string): void {
    const { file } = this;
    file.bytes += writeSync(file.descriptor, text);
  }

  private opened(): OpenFile {
    mkdirSync(path.dirname(this.path), { recursive: true, mode: PRIVATE_FOLDER });
    const descriptor = openSync(this.path, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, PRIVATE_FILE);
    return { descriptor, bytes: fstatSync(descriptor).size };
  }

  private turnOver(): void {
    closeSync(this.file.descriptor);
    this.open = undefined;
    for (let number: number = WORK_LIMITS.daemonLogsKept; number >= 1; number--) {
      const newer: string = number === 1 ? this.path : `${this.path}.${number - 1}`;
      if (existsSync(newer)) renameSync(newer, `${this.path}.${number}`);
    }
  }
}

function printable(text: string): string {
  return cut(inert(redact(text.slice(0, 4 * WORK_LIMITS.daemonLineCharacters))), WORK_LIMITS.daemonLineCharacters);
}

interface OpenFile {
  readonly descriptor: number;
  bytes: number;
}
