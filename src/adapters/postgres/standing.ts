import { isRefusal } from '#kernel/errors.js';
import type { DatabaseStatus } from '#ports/storage.js';
import type { PostgresDatabase } from './database.js';
import { presentHead } from './head.js';
import { readingOnly } from './reading.js';
import { refuseOtherSchema } from './schema.js';

/** State of a project in its database, even if it is missing or has an older schema. */
export async function databaseStanding(
  database: PostgresDatabase,
  migrations: string,
): Promise<Omit<DatabaseStatus, 'place'>> {
  const { rows } = await database.query<{ server_version: string }>('SHOW server_version');
  const [server = ''] = (rows[0]?.server_version ?? '').split(' '); // Debian appends its package name
  const tables = await tablesOf(database, migrations);
  const reading = await readingOnly(database);
  if (tables === 'none') return { server, tables, state: 'none', seq: 0, epoch: 0, leader: undefined, reading };
  const { state, seq, epoch, leader, lease } = await presentHead(database, database.clock);
  return { server, tables, state, seq, epoch, leader: lease === null ? undefined : (leader ?? undefined), reading };
}

async function tablesOf(database: PostgresDatabase, migrations: string): Promise<DatabaseStatus['tables']> {
  try {
    await refuseOtherSchema(database, migrations);
    return 'current';
  } catch (error) {
    if (isRefusal(error, 'not_initialized')) return 'none';
    if (isRefusal(error, 'database_older')) return 'older';
    throw error;
  }
}
