import { untilAnswered } from '#adapters/postgres/answers.js';
import { channelsOf, UNFLUSHED } from '#adapters/postgres/channel.js';
import type { PostgresDatabase } from '#adapters/postgres/database.js';
import { presentHead } from '#adapters/postgres/head.js';
import { publishLeader } from '#adapters/postgres/leaders.js';
import { readingOnly, readOnly } from '#adapters/postgres/reading.js';
import { presentStandbys } from '#adapters/postgres/standbys.js';
import { TroupeError } from '#kernel/errors.js';
import { freshId } from '#kernel/hash.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import { runAll } from '#kernel/steps.js';
import type { LeaderCard } from '#ports/leader-seal.js';
import type { Leaders, RemoteAnswer, RemoteRequest, RemoteRequests } from '#ports/remote-requests.js';
import { RequestServer } from './request-server.js';

interface PostgresRequestsParts {
  /** Closed together with this object. */
  readonly database: PostgresDatabase;
  /** Name of this process, shown to others while it is standby. */
  readonly who: string;
  /** Leader card of this machine, needed only while it is standby. */
  leader(): Promise<LeaderCard>;
}

const LED = 'EXISTS (SELECT FROM head WHERE lease_until > clock_timestamp())';
/** Inserts nothing if there is no leader. */
const ASK = `WITH row AS (INSERT INTO asked (id, line, caller) SELECT $1, $2, $3 WHERE ${LED} RETURNING id)
  SELECT pg_notify($4, id) FROM row, ${UNFLUSHED}`;
/** Takes the answer, and says whether one is still possible. */
const LOOK = `WITH taken AS (DELETE FROM asked WHERE id = $1 AND answer IS NOT NULL RETURNING answer)
  SELECT (SELECT answer FROM taken), ${LED} AND EXISTS (SELECT FROM asked WHERE id = $1) AS waits
  FROM ${UNFLUSHED}`;
/** Removes a request, so that no later leader answers it while the caller carries it out itself. */
const WITHDRAW = 'DELETE FROM asked WHERE id = $1 RETURNING answer';
/** Registers a standby, and returns the remaining lease. */
const STAND_BY = `WITH row AS (
    INSERT INTO standbys (who) VALUES ($1) ON CONFLICT (who) DO UPDATE SET seen_at = clock_timestamp())
  SELECT (extract(epoch FROM lease_until - clock_timestamp()) * 1000)::float8 AS left_ms FROM head`;
/** Error codes of a statement that this address may not carry out. */
const DENIALS: ReadonlySet<string> = new Set(['database_read_only', 'database_refused']);
const ago = (milliseconds: number) => `clock_timestamp() - interval '${milliseconds} milliseconds'`;

export class PostgresRequests implements RemoteRequests {
  private readonly database: PostgresDatabase;
  private readonly who: string;
  private readonly leader: () => Promise<LeaderCard>;
  private isPublished = false;
  private server: RequestServer | undefined;

  constructor({ database, who, leader }: PostgresRequestsParts) {
    this.database = database;
    this.who = who;
    this.leader = leader;
  }

  async ask({ line, caller }: RemoteRequest): Promise<RemoteAnswer> {
    const id = freshId();
    let isSent = false;
    try {
      const sent = [id, line, JSON.stringify(caller), channelsOf(this.database).asked];
      isSent = ((await this.database.query(ASK, sent)).rowCount ?? 0) > 0;
      return isSent ? await untilAnswered(this.database, id, () => this.look(id)) : { state: 'absent' };
    } catch (error) {
      // Checked only now: beforehand it would cost each request a round trip.
      if (!isSent && error instanceof TroupeError && DENIALS.has(error.code)) await this.refuseReading();
      // Once the request may have been sent, it may also have been carried out, regardless of the error.
      if (error instanceof TroupeError && (isSent || error.code === 'database_away')) return { state: 'broken' };
      throw error;
    }
  }

  async serve(answer: (request: RemoteRequest) => Promise<string>): Promise<void> {
    this.server = new RequestServer(this.database, answer);
    await this.server.begin();
  }

  async leaders(): Promise<Leaders> {
    const { leader, lease, epoch } = await presentHead(this.database, this.database.clock);
    const standbys = await presentStandbys(this.database);
    return { leader: lease === null ? undefined : (leader ?? undefined), epoch, standbys };
  }

  async standBy(): Promise<number> {
    await this.refuseReading();
    const { rows } = await this.database.query<{ left_ms: number | null }>(STAND_BY, [this.who]);
    if (!this.isPublished) await publishLeader(this.database, await this.leader());
    this.isPublished = true;
    return Math.max(0, rows[0]?.left_ms ?? 0);
  }

  async standDown(): Promise<void> {
    await this.database.query(`DELETE FROM standbys WHERE who = $1 OR seen_at < ${ago(DATABASE_LIMITS.unreadMs)}`, [
      this.who,
    ]);
  }

  async close(): Promise<void> {
    await runAll([() => this.server?.close(), () => this.database.close()]);
  }

  /** Rejects requests if the database is read-only; the error names the leader. Errors: `database_read_only`. */
  private async refuseReading(): Promise<void> {
    if (this.database.access.writes) return;
    const reading = await readingOnly(this.database);
    if (reading !== undefined) throw readOnly(reading, this.database, (await this.leaders()).leader);
    this.database.access.writes = true;
  }

  /** Returns the answer, or that none will come; undefined while one is still possible. */
  private async look(id: string): Promise<RemoteAnswer | undefined> {
    const { rows } = await this.database.query<{ answer: string | null; waits: boolean }>(LOOK, [id]);
    const { answer = null, waits = false } = rows[0] ?? {};
    if (answer !== null) return { state: 'answered', line: answer };
    if (waits) return undefined;
    const left = await this.database.query<{ answer: string | null }>(WITHDRAW, [id]);
    const late = left.rows[0]?.answer ?? undefined;
    return late === undefined ? { state: 'broken' } : { state: 'answered', line: late };
  }
}
