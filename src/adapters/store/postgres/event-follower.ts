import { channelsOf, DatabaseChannel } from '#adapters/postgres/channel.js';
import type { PostgresDatabase } from '#adapters/postgres/database.js';
import type { EntryLine } from '#core/graph/entries.js';
import type { Entry } from '#core/graph/event.js';
import { isRefusal } from '#kernel/errors.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
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
  /** Latest consecutive entries of this process: its followers need not read them back from the database. */
  private recent: readonly Entry[] = [];
  private followers = 0;
  private closed = false;

  constructor(database: PostgresDatabase, othersWrite: boolean) {
    this.database = database;
    this.othersWrite = othersWrite;
    this.channel = new DatabaseChannel(database, channelsOf(database).events, () => this.news.notify());
  }

  /** Reports entries that this process has written. */
  tell(lines: readonly EntryLine[]): void {
    const [first] = lines;
    if (first === undefined) return;
    const continues = first.entry.prev === this.recent.at(-1)?.id; // not after a restore, for example
    const entries = [...(continues ? this.recent : []), ...lines.map(({ entry }) => entry)];
    this.recent = this.followers === 0 ? [] : entries.slice(-DATABASE_LIMITS.recentEntries);
    this.news.notify();
  }

  /** Yields the entries from `from` on, each once, in order, past and future. Waits while the database is away. */
  async *follow(from: number, signal: AbortSignal): AsyncIterable<Entry> {
    this.followers++;
    try {
      yield* this.followed(from, signal);
    } finally {
      this.followers--;
    }
  }

  private async *followed(from: number, signal: AbortSignal): AsyncIterable<Entry> {
    const isOver = () => signal.aborted || this.closed;
    for (let next = Math.max(1, from); !isOver(); ) {
      if (this.othersWrite) await this.channel.listen();
      const heard = this.news.next(signal); // subscribed before reading, to miss no entry
      const begin = next;
      try {
        for await (const entries of this.entriesFrom(next)) {
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

  private async *entriesFrom(seq: number): AsyncIterable<readonly Entry[]> {
    const [first] = this.recent;
    if (first !== undefined && first.seq <= seq) yield this.recent.slice(seq - first.seq);
    else yield* entriesBetween(this.database, seq, Number.POSITIVE_INFINITY);
  }
}
