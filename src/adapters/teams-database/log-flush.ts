import type { FileHandle } from 'node:fs/promises';
import { TroupeError } from '#kernel/errors.js';

/** A file that is open. */
type OpenLog = Pick<FileHandle, 'datasync' | 'close'>;

/**
 * Brings to the disk what was written to the log of a database (`teams.db-wal`), outside of the turn: others write meanwhile. Whoever asks
 * while it is flushed shares the next flush, which covers all that was written before it began. SQLite holds its locks on other files, so
 * that this descriptor takes none of them away; the log stays as long as its connection is open.
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

  /** Errors: `disk_full`. */
  flush(): Promise<void> {
    if (this.running === undefined) return this.begin();
    this.next ??= this.running
      .catch(() => undefined) // told to whoever waited for that one
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
