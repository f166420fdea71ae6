import { channelsOf, followChannel, UNFLUSHED } from '#adapters/postgres/channel.js';
import type { PostgresDatabase } from '#adapters/postgres/database.js';
import { presentHead } from '#adapters/postgres/head.js';
import { ledByAnother } from '#adapters/postgres/turn.js';
import type { EndReason } from '#core/coordinator/snapshot.js';
import { Batches } from '#kernel/batches.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import type { Blobs } from '#ports/blobs.js';
import type { LeaderCard, SealedText } from '#ports/leader-seal.js';
import type {
  AttemptBoard,
  AttemptCard,
  AttemptTerms,
  BoardLook,
  BoardQuestion,
  BoardWorker,
  NewAttempt,
} from './attempt-board.js';
import { ATTEMPT_COLUMNS, type AttemptRow, attemptIn } from './attempt-rows.js';
import { folderOfRun } from './run-pieces.js';
import { UNAGREED } from './standing.js';
import { toldReports } from './told-schema.js';

/** Condition for an attempt offered too long ago. */
const UNTAKEN = `state = 'offered' AND offered_at < clock_timestamp() - $2 * interval '1 ms'`;
/** Condition for a running attempt `a` without a live worker. */
const SILENT = `NOT EXISTS (SELECT FROM workers w
  WHERE w.name = a.worker AND NOT w.gone AND w.seen_at > clock_timestamp() - $3 * interval '1 ms')`;
/** Condition for an attempt `a` with output stored outside the database. */
const BESIDE = 'EXISTS (SELECT FROM run_pieces p WHERE p.run = a.run AND p.sha256 IS NOT NULL)';
/** Cursor: all transactions before it are finished and visible. */
const MARK = '(SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS mark)';

/** Row with the cursor; the other columns are null if nothing changed. */
type SeenRow<Row> = { readonly mark: string } & { readonly [Column in keyof Row]: Row[Column] | null };

interface WorkerRow extends Omit<BoardWorker, 'seenAt' | 'reports' | 'unread'> {
  readonly seen: number;
  readonly runs: readonly string[];
  readonly reports: readonly string[];
}

interface PostgresBoardParts {
  /** Closed together with this object. */
  readonly database: PostgresDatabase;
  /** Epoch of the posting leader; under another epoch nothing is changed. */
  readonly epoch: number;
  /** Poll interval without notifications, in milliseconds. */
  readonly lookMs: number;
  /** Store of output outside the tables. */
  readonly blobs: () => Promise<Blobs>;
}

interface Post {
  readonly attempt: NewAttempt;
  readonly state: 'prepared' | 'offered';
  readonly order: SealedText | undefined;
}

/** Leader's attempt board in PostgreSQL tables. Each change is one statement that also checks leadership. */
export class PostgresAttemptBoard implements AttemptBoard {
  private readonly database: PostgresDatabase;
  private readonly epoch: number;
  private readonly lookMs: number;
  private readonly blobs: () => Promise<Blobs>;
  private removing: Promise<void> | undefined;
  private closing = false;
  private readonly stops: (() => Promise<void>)[] = [];
  private readonly posts = new Batches((posts: readonly Post[]) => this.postAll(posts), DATABASE_LIMITS.attemptsAtOnce);
  private readonly forgets = new Batches(
    (runs: readonly string[]) => this.forgetAll(runs),
    DATABASE_LIMITS.attemptsAtOnce,
  );
  /** Whether workers may differ: after a notification beyond attempts, or a poll (heartbeats are not notified). */
  private workersMayDiffer = true;

  constructor({ database, epoch, lookMs, blobs }: PostgresBoardParts) {
    this.database = database;
    this.epoch = epoch;
    this.lookMs = lookMs;
    this.blobs = blobs;
  }

  async look({ since, runs }: BoardQuestion, { untakenMs, leaseMs }: AttemptTerms): Promise<BoardLook> {
    const withWorkers = this.workersMayDiffer || since === undefined;
    this.workersMayDiffer = false;
    try {
      const seen = withWorkers ? await this.seenWorkers(since?.workers, leaseMs) : undefined;
      const { rows } = await this.database.query<SeenRow<AttemptRow> & { overdue: boolean }>(
        `SELECT mark, ${ATTEMPT_COLUMNS}, EXISTS (SELECT FROM attempts WHERE ${UNTAKEN})
           OR ($4 AND EXISTS (SELECT FROM attempts a WHERE state = 'running' AND ${SILENT})) AS overdue
         FROM ${MARK} now LEFT JOIN attempts
           ON state <> 'forgotten' AND (changed >= $1::text::xid8 OR run = ANY ($5)) ORDER BY turn`,
        [since?.attempts ?? '0', untakenMs, leaseMs, withWorkers, runs],
      );
      const [{ mark, overdue } = { mark: '0', overdue: false }] = rows;
      return {
        whole: since === undefined,
        attempts: rows.flatMap((row) => (row.card_json === null ? [] : [attemptIn(row as AttemptRow)])),
        workers: seen?.workers ?? [],
        overdue,
        mark: { attempts: mark, workers: seen?.mark ?? since?.workers ?? '0' },
      };
    } catch (error) {
      this.workersMayDiffer ||= withWorkers;
      throw error;
    }
  }

  async introduce({ key, name, at }: LeaderCard): Promise<void> {
    await this.asLeader(
      `INSERT INTO leaders (key, name, at, epoch, seen_at) SELECT $2, $3, $4, $1, clock_timestamp() FROM led
       ON CONFLICT (key) DO UPDATE SET name = $3, at = $4, epoch = $1, seen_at = clock_timestamp()`,
      [key, name, at],
      'key',
    );
  }

  async keep(attempt: NewAttempt): Promise<void> {
    await this.posts.add({ attempt, state: 'prepared', order: undefined });
  }

  async offer(attempt: NewAttempt, order: SealedText): Promise<void> {
    await this.posts.add({ attempt, state: 'offered', order });
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

  async allow(run: string, limit: SealedText): Promise<void> {
    await this.asLeader(
      "UPDATE attempts SET wish_limit_json = $3 FROM led WHERE run = $2 AND state IN ('offered', 'running')",
      [run, JSON.stringify(limit)],
    );
  }

  async completed(): Promise<readonly string[]> {
    const { rows } = await this.database.query<{ run: string }>(
      `WITH completed AS MATERIALIZED (SELECT line::json->'detail'->>'run' AS run FROM events
         WHERE seq > (SELECT seq FROM head) - $1 AND line::json->>'op' = 'agent_complete')
       SELECT run FROM attempts WHERE state = 'ended' AND run IN (SELECT run FROM completed)`,
      [DATABASE_LIMITS.completedLook],
    );
    return rows.map(({ run }) => run);
  }

  async forget(run: string): Promise<void> {
    await this.forgets.add(run);
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
    await this.asLeader(
      `DELETE FROM attempts a USING led WHERE state = 'forgotten' AND forgotten_at ${old} AND NOT ${BESIDE}`,
      values,
    );
    // A slow or unreachable object store is retried with the next pruning.
    this.removing ??= this.removeBeside()
      .catch(() => undefined)
      .finally(() => {
        this.removing = undefined;
      });
    await this.asLeader(`DELETE FROM refused_ends USING led WHERE at ${old}`, values, 'run');
    await this.asLeader(`DELETE FROM workers USING led WHERE seen_at ${old}`, values, 'name');
    // The present leader's row is recent from its start, and excluded by its epoch.
    const others = `epoch IS DISTINCT FROM $1 AND seen_at ${old}`;
    await this.asLeader(`DELETE FROM leaders USING led WHERE ${others}`, values, 'key');
  }

  /** Does not wait for the disk: the notification need not be durable. */
  async tellWorkers(): Promise<void> {
    await this.database.query(`SELECT pg_notify($1, '') FROM ${UNFLUSHED}`, [channelsOf(this.database).offers]);
  }

  onNews(listener: () => void): () => void {
    const stop = followChannel(this.database, channelsOf(this.database).workers, this.lookMs, (said) => {
      this.workersMayDiffer ||= said !== 'attempts';
      listener();
    });
    this.stops.push(stop);
    return () => {
      stop().catch(() => undefined); // already disconnected
    };
  }

  async close(): Promise<void> {
    this.closing = true;
    await this.removing;
    await Promise.all(this.stops.map((stop) => stop()));
    await this.database.close();
  }

  /** Removes output outside the database before the attempt that refers to it, so that none is orphaned. */
  private async removeBeside(): Promise<void> {
    const { attemptsKeptMs, blobFoldersAtOnce } = DATABASE_LIMITS;
    const { rows } = await this.database.query<{ run: string }>(
      `SELECT run FROM attempts a WHERE state = 'forgotten' AND forgotten_at < clock_timestamp() - $1 * interval '1 ms'
         AND ${BESIDE} ORDER BY forgotten_at LIMIT $2`,
      [attemptsKeptMs, blobFoldersAtOnce],
    );
    for (const { run } of rows) {
      await (await this.blobs()).removeFolder(folderOfRun(this.database, run));
      await this.asLeader("DELETE FROM attempts USING led WHERE run = $2 AND state = 'forgotten'", [run]);
      if (this.closing) return; // the next leader goes on
    }
  }

  private async seenWorkers(since: string | undefined, leaseMs: number) {
    const { rows } = await this.database.query<SeenRow<WorkerRow>>(
      `SELECT mark, name, at, version, slots, labels, executors, leaders, asked, gone, runs, reports, silent,
         ${UNAGREED} AS unagreed,
         (extract(epoch FROM seen_at) * 1000)::float8 AS seen
       FROM ${MARK} now LEFT JOIN (SELECT *, seen_at <= clock_timestamp() - $2 * interval '1 ms' AS silent FROM workers) told
         ON changed >= $1::text::xid8 OR (silent AND NOT gone) ORDER BY name`,
      [since ?? '0', leaseMs],
    );
    const workers = rows.flatMap((row) => (row.name === null ? [] : [workerIn(row as WorkerRow)]));
    return { mark: rows[0]?.mark ?? '0', workers };
  }

  private async postAll(posts: readonly Post[]): Promise<readonly undefined[]> {
    const rows = posts.map(({ attempt: { card, labels }, state, order }) => ({
      run: card.run,
      task: card.taskId,
      fence: card.fence,
      executor: card.executor ?? null,
      labels,
      state,
      card_json: JSON.stringify(card),
      order_json: order?.text,
      order_key: order?.key,
      order_signature: order?.signature,
    }));
    await this.asLeader(
      `INSERT INTO attempts (run, task, fence, executor, labels, card_json, order_json, order_key, order_signature, state, offered_at)
       SELECT run, task, fence, executor, labels, card_json, order_json, order_key, order_signature, state,
         CASE WHEN state = 'offered' THEN clock_timestamp() END
       FROM led, json_to_recordset($2) AS posted (run text, task text, fence bigint, executor text, labels text[],
         card_json text, order_json text, order_key text, order_signature text, state text)
       ON CONFLICT (run) DO UPDATE SET state = EXCLUDED.state, labels = EXCLUDED.labels, card_json = EXCLUDED.card_json,
           order_json = EXCLUDED.order_json, order_key = EXCLUDED.order_key, order_signature = EXCLUDED.order_signature, offered_at = EXCLUDED.offered_at
         WHERE attempts.state = 'prepared'`,
      [JSON.stringify(rows)],
    );
    return posts.map(() => undefined);
  }

  private async forgetAll(runs: readonly string[]): Promise<readonly undefined[]> {
    await this.asLeader(
      `UPDATE attempts SET state = 'forgotten', forgotten_at = clock_timestamp()
       FROM led WHERE run = ANY ($2) AND state <> 'forgotten'`,
      [runs],
    );
    return runs.map(() => undefined);
  }

  /**
   * Runs one changing statement if this process leads, in which case `led` has a row; returns the values of a column of
   * the changed rows. The row lock prevents the next leader from starting meanwhile.
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

function workerIn({ seen, runs, reports, ...worker }: WorkerRow): BoardWorker {
  const { mark: _, ...card } = worker as typeof worker & { mark?: string };
  return { ...card, seenAt: seen, ...toldReports(runs, reports) };
}
