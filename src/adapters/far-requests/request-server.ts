import { setTimeout as delay } from 'node:timers/promises';
import { channelsOf, followChannel } from '#adapters/postgres/channel.js';
import type { PostgresDatabase } from '#adapters/postgres/database.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import type { Caller } from '#ports/callers.js';
import type { FarRequest } from '#ports/far-requests.js';

interface AskedRow {
  readonly id: string;
  readonly line: string;
  readonly caller: string;
}

const OPEN = 'SELECT id, line, caller FROM asked WHERE answer IS NULL AND id <> ALL ($1) ORDER BY position';
const ANSWER = `WITH row AS (UPDATE asked SET answer = $2 WHERE id = $1 AND answer IS NULL RETURNING id)
  SELECT pg_notify($3, id) FROM row`;
const UNREAD = `DELETE FROM asked WHERE asked_at < clock_timestamp() - interval '${DATABASE_LIMITS.unreadMs} milliseconds'`;

/** Answers the requests of other machines until it is closed. While the database is away it waits. */
export class RequestServer {
  private readonly database: PostgresDatabase;
  private readonly answer: (request: FarRequest) => Promise<string>;
  /** Requests that were begun, each once: what it is answered, as soon as that is known. */
  private readonly begun = new Map<string, string | undefined>();
  private readonly underWay = new Set<Promise<void>>();
  private looking: Promise<void> | undefined;
  private again = false;
  private stop: () => Promise<void> = async () => undefined;

  constructor(database: PostgresDatabase, answer: (request: FarRequest) => Promise<string>) {
    this.database = database;
    this.answer = answer;
  }

  async begin(): Promise<void> {
    await this.database.query(UNREAD);
    this.stop = followChannel(this.database, channelsOf(this.database).asked, DATABASE_LIMITS.farLookMs, () =>
      this.look(),
    );
  }

  /** Begins nothing more. What was begun has a moment to be answered: the next leader answers what was not. */
  async close(): Promise<void> {
    await this.stop();
    this.again = false;
    await this.looking;
    const late = delay(DATABASE_LIMITS.lastAnswersMs, undefined, { ref: false });
    await Promise.race([Promise.all(this.underWay), late]);
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
      // The database is away: the next look comes by itself.
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
      return; // left to whoever leads next: a change is known by the id of its request
    }
    this.begun.set(id, answer);
    await this.say(id, answer).catch(() => undefined); // the database is away: said at the next look
  }

  private async say(id: string, answer: string): Promise<void> {
    await this.database.query(ANSWER, [id, answer, channelsOf(this.database).answers]);
    this.begun.delete(id);
  }
}
