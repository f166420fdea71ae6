import { channelsOf } from '#adapters/postgres/channel.js';
import type { PostgresDatabase, SqlQueries } from '#adapters/postgres/database.js';
import { refuseReading } from '#adapters/postgres/reading.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import type { ListedWorker, RefusedResults } from '#ports/storage.js';

interface StandingRow extends Omit<ListedWorker, 'seenAt' | 'attempts'> {
  readonly seen: number;
  readonly taken: readonly { readonly run: string; readonly taskId: string }[];
}

/** Condition for a row with `leaders`: they do not include the present leader's key. */
export const UNAGREED = `EXISTS (SELECT FROM leaders known JOIN head USING (epoch)
  WHERE lease_until > clock_timestamp() AND NOT known.key = ANY (leaders))`;

/** Workers of a project with their attempts, ordered by name. Needs no leader. */
export async function standingOfWorkers(queries: SqlQueries): Promise<readonly ListedWorker[]> {
  const { rows } = await queries.query<StandingRow>(
    `SELECT name, at, version, slots, labels, executors, leaders, asked, (extract(epoch FROM seen_at) * 1000)::float8 AS seen,
       seen_at <= clock_timestamp() - $1 * interval '1 ms' AS silent,
       ${UNAGREED} AS unagreed,
       (SELECT coalesce(json_agg(json_build_object('run', run, 'taskId', task) ORDER BY turn), '[]')
        FROM attempts WHERE worker = workers.name AND state = 'running') AS taken
     FROM workers WHERE NOT gone ORDER BY name`,
    [DATABASE_LIMITS.workerLeaseMs],
  );
  return rows.map(({ seen, taken, ...worker }) => ({ ...worker, seenAt: seen, attempts: taken }));
}

/**
 * Records a request to a worker, delivered with its next heartbeat; a silent worker that is to stop is removed. Returns
 * false if there is no such worker.
 */
export async function askWorker(
  database: PostgresDatabase,
  name: string,
  asked: ListedWorker['asked'],
): Promise<boolean> {
  await refuseReading(database);
  if (asked === 'stop') {
    const { rowCount } = await database.query(
      "UPDATE workers SET gone = true WHERE name = $1 AND NOT gone AND seen_at <= clock_timestamp() - $2 * interval '1 ms'",
      [name, DATABASE_LIMITS.workerLeaseMs],
    );
    if (rowCount !== 0) return true;
  }
  const { rowCount } = await database.query('UPDATE workers SET asked = $2 WHERE name = $1 AND NOT gone', [
    name,
    asked,
  ]);
  if (rowCount === 0) return false;
  await database.query('SELECT pg_notify($1, $2)', [channelsOf(database).offers, '']);
  return true;
}

/** Total number of stored reports that came too late and changed nothing, and the latest of them. */
export async function refusedEnds(queries: SqlQueries, most: number): Promise<RefusedResults> {
  const { rows } = await queries.query<{
    run: string;
    task: string | null;
    worker: string | null;
    at: number;
    total: number;
  }>(
    `SELECT refused.run, attempts.task, refused.worker, (extract(epoch FROM refused.at) * 1000)::float8 AS at,
       (SELECT count(*) FROM refused_ends) AS total
     FROM refused_ends refused LEFT JOIN attempts USING (run) ORDER BY refused.id DESC LIMIT $1`,
    [most],
  );
  const latest = rows.map(({ run, task, worker, at }) => ({
    run,
    at,
    ...(task === null ? {} : { taskId: task }),
    ...(worker === null ? {} : { worker }),
  }));
  return { total: rows[0]?.total ?? 0, latest };
}

/** Runs given to workers and not settled. */
export async function unsettledAttempts(database: PostgresDatabase): Promise<readonly string[]> {
  const { rows } = await database.query<{ run: string }>(
    "SELECT run FROM attempts WHERE state IN ('offered', 'running', 'ended') ORDER BY turn",
  );
  return rows.map(({ run }) => run);
}
