import { closeSync, fstatSync } from 'node:fs';
import { TroupeError } from '#kernel/errors.js';
import { type StoreDisk, storeError } from './disk.js';
import { type LogPlace, logPlace, logPlaceIn } from './log-file.js';

/** An append that has been written and is being flushed. */
export interface Append {
  /** Identity of the log. */
  readonly identity: string;
  /** Resolves once the append is on disk. Errors: `disk_full`, `read_only`, `disk_failed`. */
  readonly flushed: Promise<void>;
}

interface OpenLog extends LogPlace {
  readonly descriptor: number;
}

/** Bytes [from, to) of the log, which are being written. */
interface LogPart {
  readonly descriptor: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Appends to a log. The file stays open between appends, because opening and closing it takes as long as writing to
 * it; a file that replaced it is opened instead.
 */
export class LogAppender {
  private readonly disk: StoreDisk;
  private readonly file: string;
  private open: OpenLog | undefined;

  constructor(disk: StoreDisk, file: string) {
    this.disk = disk;
    this.file = file;
  }

  /**
   * Appends whole groups and begins to flush them. On failure, also of the flush, removes a partial write. A log that
   * another process changed is not touched. Errors: `locked`, `disk_full`, `read_only`, `disk_failed`.
   */
  append({ identity, size }: LogPlace, data: Uint8Array): Append {
    const there = this.opened();
    if (there.size !== size || (identity !== '' && there.identity !== identity)) {
      throw new TroupeError('locked', {
        what: `Another process has just written to ${this.file}: nothing was changed.`,
      });
    }
    const part = { descriptor: there.descriptor, from: size, to: size + data.length };
    try {
      for (let offset = 0; offset < data.length; ) offset += this.disk.write(part.descriptor, data.subarray(offset));
    } catch (error) {
      throw this.undo(part, error);
    }
    return { identity: there.identity, flushed: this.flush(part) };
  }

  /** Closes the file. No append may be under way. */
  close(): void {
    if (this.open) closeSync(this.open.descriptor);
    this.open = undefined;
  }

  private opened(): OpenLog {
    const present = logPlace(this.file);
    if (this.open?.identity === present.identity) return { ...present, descriptor: this.open.descriptor };
    this.close();
    try {
      const descriptor = this.disk.open(this.file);
      this.open = { descriptor, ...logPlaceIn(fstatSync(descriptor, { bigint: true })) };
      return this.open;
    } catch (error) {
      throw storeError(error, this.file);
    }
  }

  private async flush(part: LogPart): Promise<void> {
    try {
      await this.disk.sync(part.descriptor);
    } catch (error) {
      throw this.undo(part, error);
    }
  }

  /**
   * Truncates our partial write, unless other data follows it, and closes the file: after an error, its descriptor may
   * tell of success although pages were lost. Returns the error to throw.
   */
  private undo({ descriptor, from, to }: LogPart, error: unknown): unknown {
    const failure = storeError(error, this.file);
    try {
      if (fstatSync(descriptor).size <= to) {
        this.disk.truncate(descriptor, from);
        return failure;
      }
    } catch {
      // The disk refuses this too; the error below reports it.
    } finally {
      this.close();
    }
    const { code, message } =
      failure instanceof TroupeError ? failure : { code: 'disk_failed' as const, message: this.file };
    return new TroupeError(code, {
      what: `${message.replace(/: nothing was changed\.$/, '.')} The partial change could not be undone.`,
      hint: 'Check with `troupe list` whether the change is there, and check the disk.',
      cause: error,
    });
  }
}
