/**
 * Private files of the service: its log, the file of browser sessions.
 * @packageDocumentation
 */

import { closeSync, constants, existsSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import { type Clock, timestamp } from '#kernel/clock.js';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '#kernel/file-modes.js';
import { LIMITS } from '#kernel/limits.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert } from '#kernel/text.js';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;

/**
 * Log of the service, one line per event, without secrets. Rotated when it reaches its size limit; only the latest
 * files are kept.
 */
export class DaemonLog {
  private readonly file: string;
  private readonly clock: Clock;
  private open: OpenFile | undefined;

  constructor(file: string, clock: Clock) {
    this.file = file;
    this.clock = clock;
  }

  /** Never throws: with a full disk the log is lost, but the service goes on. */
  note(text: string): void {
    const message = cut(inert(redact(text.slice(0, 4 * LIMITS.daemonLineCharacters))), LIMITS.daemonLineCharacters);
    const line = `${timestamp(this.clock.now())} ${message}\n`;
    try {
      let file = this.open ?? this.opened();
      if (file.bytes + line.length > LIMITS.daemonLogBytes) file = this.turnedOver(file);
      this.open = file;
      file.bytes += writeSync(file.descriptor, line);
    } catch {
      // See above: there is nowhere left to report to.
    }
  }

  private opened(): OpenFile {
    mkdirSync(path.dirname(this.file), { recursive: true, mode: PRIVATE_FOLDER });
    const descriptor = openSync(this.file, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, PRIVATE_FILE);
    return { descriptor, bytes: fstatSync(descriptor).size };
  }

  private turnedOver({ descriptor }: OpenFile): OpenFile {
    closeSync(descriptor);
    this.open = undefined;
    for (let number: number = LIMITS.daemonLogsKept; number >= 1; number--) {
      const newer: string = number === 1 ? this.file : `${this.file}.${number - 1}`;
      if (existsSync(newer)) renameSync(newer, `${this.file}.${number}`);
    }
    return this.opened();
  }
}

interface OpenFile {
  readonly descriptor: number;
  bytes: number;
}
