import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import type { SqlQueries } from './database.js';

/** Names of standby services that reported within the last lease period. */
export async function presentStandbys(queries: SqlQueries): Promise<readonly string[]> {
  const { rows } = await queries.query<{ who: string }>(
    `SELECT who FROM standbys WHERE seen_at > clock_timestamp() - $1 * interval '1 ms' ORDER BY who`,
    [DATABASE_LIMITS.leaseMs],
  );
  return rows.map(({ who }) => who);
}
