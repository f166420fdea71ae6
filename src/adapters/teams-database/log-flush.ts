import type { FileHandle } from 'node:fs/promises';
import { TroupeError } from '#kernel/errors.js';

/** Open log file. */
type OpenLog = Pick<FileHandle, 'datasync' | 'close'>;

/**
 * Flushes the write-ahead log of a database (`teams.db-wal`) outside the write turn, so that others can write
 * meanwhile. Requests during a flush share the next one, which covers everything written before it began. SQLite's
 * locks are on other files, so closing this descriptor releases none; the log exists as long as its connection is open.
 */
export class LogFlush {
  private readonly file: string;
  private readonly open: (file: string) => Promise<OpenLog>;
  private opened: Promise<OpenLog> | undefined;
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;

  constructor(file: string, open: (file: string) => Promise<OpenLog>) {
    this.file = file;
    this.open = open;
  }

  /** Resolves once all earlier writes are on disk. Errors: `disk_full`. */
  flush(): Promise<void> {
    if (this.running === undefined) return this.begin();
    this.next ??= this.running
      .catch(() => undefined) // reported to the callers of that flush
      .then(() => {
        this.next = undefined;
        return this.begin();
      });
    return this.next;
  }

  async close(): Promise<void> {
    const handle = await this.opened?.catch(() => undefined);
    this.opened = undefined;
    await handle?.close();
  }

  private begin(): Promise<void> {
    const running = this.sync().finally(() => {
      if (this.running === running) this.running = undefined;
    });
    this.running = running;
    return running;
  }

  private async sync(): Promise<void> {
    try {
      this.opened ??= this.open(this.file);
      await (await this.opened).datasync();
    } catch (error) {
      this.opened = undefined;
      throw new TroupeError('disk_full', {
        what: `teams.db could not be brought to the disk: ${(error as Error).message}.`,
        cause: error,
      });
    }
  }
}
