import { channelsOf, followChannel } from '#adapters/postgres/channel.js';
import type { PostgresDatabase } from '#adapters/postgres/database.js';
import { presentHead } from '#adapters/postgres/head.js';
import { ledByAnother } from '#adapters/postgres/turn.js';
import type { SpendLimit } from '#core/coordinator/budget.js';
import type { EndReason } from '#core/coordinator/snapshot.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import type { AttemptBoard, AttemptCard, AttemptTerms, BoardLook, NewAttempt } from './attempt-board.js';
import { ATTEMPT_COLUMNS, type AttemptRow, attemptIn } from './attempt-rows.js';
import { standingOfWorkers } from './standing.js';

const UNTAKEN = `state = 'offered' AND offered_at < clock_timestamp() - $2 * interval '1 ms'`;
/** Of an attempt `a` that is running: nobody has heard of its worker for so long, or it has none any more. */
const SILENT = `NOT EXISTS (SELECT FROM workers w
  WHERE w.name = a.worker AND w.seen_at > clock_timestamp() - $3 * interval '1 ms')`;

interface LiveRow extends AttemptRow {
  readonly overdue: boolean;
}

interface PostgresBoardParts {
  /** Closed with it. */
  readonly database: PostgresDatabase;
  /** Of the leadership that posts: another leader's epoch, and nothing is changed. */
  readonly epoch: number;
  /** So often it is looked at without a notification, in milliseconds. */
  readonly lookMs: number;
}

/** The board in the tables of a PostgreSQL database, for the leader. Each change is one statement, which finds that this process leads. */
export class PostgresAttemptBoard implements AttemptBoard {
  private readonly database: PostgresDatabase;
  private readonly epoch: number;
  private readonly lookMs: number;
  private readonly stops: (() => Promise<void>)[] = [];

  constructor({ database, epoch, lookMs }: PostgresBoardParts) {
    this.database = database;
    this.epoch = epoch;
    this.lookMs = lookMs;
  }

  async look(knownEnds: readonly string[], { untakenMs, leaseMs }: AttemptTerms): Promise<BoardLook> {
    const { rows } = await this.database.query<LiveRow>(
      `SELECT ${ATTEMPT_COLUMNS}, coalesce(report_json, told.report) AS report,
        CASE WHEN run = ANY($1) THEN NULL ELSE end_json END AS end_json,
        (${UNTAKEN}) OR (state = 'running' AND ${SILENT}) AS overdue
      FROM attempts a LEFT JOIN LATERAL (
        SELECT w.reports[array_position(w.runs, a.run)] AS report FROM workers w WHERE w.name = a.worker AND a.state = 'running'
      ) told ON true
      WHERE state <> 'forgotten' ORDER BY turn`,
      [knownEnds, untakenMs, leaseMs],
    );
    const workers = await standingOfWorkers(this.database);
    return { attempts: rows.map(attemptIn), workers, overdue: rows.some(({ overdue }) => overdue) };
  }

  async keep(attempt: NewAttempt): Promise<void> {
    await this.post(attempt, 'prepared');
  }

  async offer(attempt: NewAttempt): Promise<void> {
    await this.post(attempt, 'offered');
  }

  async refuse(card: AttemptCard, reason: string): Promise<void> {
    await this.asLeader(
      `INSERT INTO attempts (run, task, fence, executor, labels, card_json, state, outcome, reason, ended_at)
       SELECT $2, $3, $4, $5, '{}', $6, 'ended', 'refused', $7, clock_timestamp() FROM led
       ON CONFLICT (run) DO UPDATE SET state = 'ended', outcome = 'refused', reason = $7, ended_at = clock_timestamp()
         WHERE attempts.state IN ('prepared', 'offered')`,
      [card.run, card.taskId, card.fence, card.executor ?? null, JSON.stringify(card), reason],
    );
  }

  async discard(run: string): Promise<void> {
    await this.asLeader("DELETE FROM attempts USING led WHERE run = $2 AND state = 'prepared'", [run]);
  }

  async end(run: string, why: EndReason): Promise<'ended' | 'running' | undefined> {
    const states = await this.asLeader(
      `UPDATE attempts SET wish_end = coalesce(wish_end, $3),
        outcome = CASE WHEN state = 'running' THEN outcome ELSE 'withdrawn' END,
        ended_at = CASE WHEN state = 'running' THEN ended_at ELSE clock_timestamp() END,
        state = CASE WHEN state = 'running' THEN 'running' ELSE 'ended' END
       FROM led WHERE run = $2 AND state IN ('prepared', 'offered', 'running')`,
      [run, why],
    );
    return states[0] as 'ended' | 'running' | undefined;
  }

  async allow(run: string, limit: SpendLimit): Promise<void> {
    await this.asLeader(
      "UPDATE attempts SET wish_limit_json = $3 FROM led WHERE run = $2 AND state IN ('offered', 'running')",
      [run, JSON.stringify(limit)],
    );
  }

  async forget(run: string): Promise<void> {
    await this.asLeader(
      "UPDATE attempts SET state = 'forgotten', forgotten_at = clock_timestamp() FROM led WHERE run = $2 AND state <> 'forgotten'",
      [run],
    );
  }

  async expire({ untakenMs, leaseMs }: AttemptTerms): Promise<void> {
    await this.asLeader(
      `UPDATE attempts a SET state = 'ended', ended_at = clock_timestamp(),
        outcome = CASE WHEN state = 'offered' THEN 'untaken' ELSE 'lost' END,
        report_json = (SELECT w.reports[array_position(w.runs, a.run)] FROM workers w WHERE w.name = a.worker)
       FROM led WHERE (${UNTAKEN}) OR (state = 'running' AND ${SILENT})`,
      [untakenMs, leaseMs],
    );
  }

  async prune(): Promise<void> {
    const old = `< clock_timestamp() - $2 * interval '1 ms'`;
    const values = [DATABASE_LIMITS.attemptsKeptMs];
    await this.asLeader(`DELETE FROM attempts USING led WHERE state = 'forgotten' AND forgotten_at ${old}`, values);
    await this.asLeader(`DELETE FROM refused_ends USING led WHERE at ${old}`, values, 'run');
    await this.asLeader(`DELETE FROM workers USING led WHERE seen_at ${old}`, values, 'name');
  }

  async tellWorkers(): Promise<void> {
    await this.database.query('SELECT pg_notify($1, $2)', [channelsOf(this.database).offers, '']);
  }

  onNews(listener: () => void): () => void {
    const stop = followChannel(this.database, channelsOf(this.database).workers, this.lookMs, listener);
    this.stops.push(stop);
    return () => {
      stop().catch(() => undefined); // it is cut, and that was wanted
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.stops.map((stop) => stop()));
    await this.database.close();
  }

  private async post({ card, labels, order }: NewAttempt, state: 'prepared' | 'offered'): Promise<void> {
    await this.asLeader(
      `INSERT INTO attempts (run, task, fence, executor, labels, card_json, order_json, state, offered_at)
       SELECT $2, $3, $4, $5, $6, $7, $8, $9, CASE WHEN $9 = 'offered' THEN clock_timestamp() END FROM led
       ON CONFLICT (run) DO UPDATE SET state = $9, labels = $6, card_json = $7, order_json = $8, offered_at = EXCLUDED.offered_at
         WHERE attempts.state = 'prepared'`,
      [
        ...[card.run, card.taskId, card.fence, card.executor ?? null, labels],
        ...[JSON.stringify(card), JSON.stringify(order), state],
      ],
    );
  }

  /**
   * Runs one statement that changes rows while this process leads, which `led` has a row for; answers the values of a column in them. The
   * lock of that row keeps the next leader from beginning meanwhile.
   */
  private async asLeader(statement: string, values: readonly unknown[], column = 'state'): Promise<readonly string[]> {
    const { rows } = await this.database.query<{ led: number; changed: readonly string[] }>(
      `WITH led AS MATERIALIZED (
         SELECT FROM head WHERE epoch = $1 AND state = 'in-use' AND lease_until > clock_timestamp() FOR SHARE),
       changed AS (${statement} RETURNING ${column} AS value)
       SELECT (SELECT count(*) FROM led) AS led, ARRAY(SELECT value FROM changed) AS changed`,
      [this.epoch, ...values],
    );
    const [answer] = rows;
    if (answer === undefined || answer.led === 0)
      throw ledByAnother(await presentHead(this.database, this.database.clock), this.epoch);
    return answer.changed;
  }
}
