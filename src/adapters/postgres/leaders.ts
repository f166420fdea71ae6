import type { LeaderCard, PublishedLeader } from '#ports/leader-seal.js';
import type { SqlQueries } from './database.js';

/** Machines that lead, have led or are standby, the present leader first. */
export async function publishedLeaders(database: SqlQueries): Promise<readonly PublishedLeader[]> {
  const { rows } = await database.query<PublishedLeader>(
    'SELECT key_ AS key, name_ AS name, at_ AS at, leads_ AS leads FROM worker_leaders()',
  );
  return rows;
}

/** Publishes the signing key of a machine that may lead later, so that workers can be asked to trust it in advance. */
export async function publishLeader(database: SqlQueries, { key, name, at }: LeaderCard): Promise<void> {
  await database.query(
    `INSERT INTO leaders (key, name, at, seen_at) VALUES ($1, $2, $3, clock_timestamp())
     ON CONFLICT (key) DO UPDATE SET name = $2, at = $3, seen_at = clock_timestamp()`,
    [key, name, at],
  );
}
