import { channelsOf, DatabaseChannel } from '#adapters/postgres/channel.js';
import type { PostgresDatabase } from '#adapters/postgres/database.js';
import type { Entry } from '#core/graph/event.js';
import { isRefusal } from '#kernel/errors.js';
import { ChangeSignal } from '../change-signal.js';
import { entriesBetween } from './event-rows.js';

/** Poll interval, for when notifications fail: a lost connection or an unreachable server. */
const POLL_MS = 2_000;

/** Follows log entries, woken by this process and by notifications of others on a separate connection. */
export class EventFollower {
  private readonly database: PostgresDatabase;
  private readonly othersWrite: boolean;
  private readonly news = new ChangeSignal(POLL_MS);
  private readonly channel: DatabaseChannel;
  private closed = false;

  constructor(database: PostgresDatabase, othersWrite: boolean) {
    this.database = database;
    this.othersWrite = othersWrite;
    this.channel = new DatabaseChannel(database, channelsOf(database).events, () => this.news.notify());
  }

  /** Reports that this process has written entries. */
  tell(): void {
    this.news.notify();
  }

  /** Yields the entries from `from` on, each once, in order, past and future. Waits while the database is away. */
  async *follow(from: number, signal: AbortSignal): AsyncIterable<Entry> {
    const isOver = () => signal.aborted || this.closed;
    for (let next = Math.max(1, from); !isOver(); ) {
      if (this.othersWrite) await this.channel.listen();
      const heard = this.news.next(signal); // subscribed before reading, to miss no entry
      const begin = next;
      try {
        for await (const entries of entriesBetween(this.database, next, Number.POSITIVE_INFINITY)) {
          for (const entry of entries) {
            if (isOver()) return;
            yield entry;
            next = entry.seq + 1;
          }
        }
      } catch (error) {
        if (!isRefusal(error, 'database_away')) throw error;
      }
      if (next === begin) await heard;
    }
  }

  /** Ends all followers. */
  async close(): Promise<void> {
    this.closed = true;
    this.news.notify();
    await this.channel.close();
  }
}
