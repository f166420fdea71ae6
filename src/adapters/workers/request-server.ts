import { channelsOf, followChannel, UNFLUSHED } from '#adapters/postgres/channel.js';
import type { PostgresDatabase } from '#adapters/postgres/database.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import { waitAtMost } from '#kernel/wait-at-most.js';
import type { Caller } from '#ports/callers.js';
import type { RemoteRequest } from '#ports/remote-requests.js';

interface AskedRow {
  readonly id: string;
  readonly line: string;
  readonly caller: string;
}

const OPEN = 'SELECT id, line, caller FROM asked WHERE answer IS NULL AND id <> ALL ($1) ORDER BY position';
const ANSWER = `WITH row AS (UPDATE asked SET answer = $2 WHERE id = $1 AND answer IS NULL RETURNING id)
  SELECT pg_notify($3, id) FROM row, ${UNFLUSHED}`;
const UNREAD = `DELETE FROM asked WHERE asked_at < clock_timestamp() - interval '${DATABASE_LIMITS.unreadMs} milliseconds'`;

/** Answers requests of other machines until it is closed. Waits while the database is unreachable. */
export class RequestServer {
  private readonly database: PostgresDatabase;
  private readonly answer: (request: RemoteRequest) => Promise<string>;
  /** Requests started, each once, with their answers once known. */
  private readonly begun = new Map<string, string | undefined>();
  private readonly underWay = new Set<Promise<void>>();
  private looking: Promise<void> | undefined;
  private again = false;
  private stop: () => Promise<void> = async () => undefined;

  constructor(database: PostgresDatabase, answer: (request: RemoteRequest) => Promise<string>) {
    this.database = database;
    this.answer = answer;
  }

  async begin(): Promise<void> {
    await this.database.query(UNREAD);
    this.stop = followChannel(this.database, channelsOf(this.database).asked, DATABASE_LIMITS.requestLookMs, () =>
      this.look(),
    );
  }

  /** Starts no more requests and waits briefly for those in progress; the next leader answers the rest. */
  async close(): Promise<void> {
    await this.stop();
    this.again = false;
    await this.looking;
    await waitAtMost(DATABASE_LIMITS.lastAnswersMs, Promise.all(this.underWay));
  }

  private look(): void {
    this.again = true;
    this.looking ??= this.lookThrough().finally(() => {
      this.looking = undefined;
    });
  }

  private async lookThrough(): Promise<void> {
    try {
      while (this.again) {
        this.again = false;
        for (const [id, answer] of this.begun) if (answer !== undefined) await this.say(id, answer);
        const { rows } = await this.database.query<AskedRow>(OPEN, [[...this.begun.keys()]]);
        for (const row of rows) this.take(row);
      }
    } catch {
      // Database unreachable: the next poll retries.
    }
  }

  private take(row: AskedRow): void {
    this.begun.set(row.id, undefined);
    const work = this.respond(row).finally(() => this.underWay.delete(work));
    this.underWay.add(work);
  }

  private async respond({ id, line, caller }: AskedRow): Promise<void> {
    let answer: string;
    try {
      answer = await this.answer({ line, caller: JSON.parse(caller) as Caller });
    } catch {
      return; // left to the next leader; the request id makes changes idempotent
    }
    this.begun.set(id, answer);
    await this.say(id, answer).catch(() => undefined); // database unreachable: written with the next poll
  }

  private async say(id: string, answer: string): Promise<void> {
    await this.database.query(ANSWER, [id, answer, channelsOf(this.database).answers]);
    this.begun.delete(id);
  }
}
