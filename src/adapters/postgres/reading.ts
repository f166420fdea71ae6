import { TroupeError } from '#kernel/errors.js';
import type { ReadOnlyCause } from '#ports/storage.js';
import type { PostgresDatabase, SqlQueries } from './database.js';
import { rolesOf } from './roles.js';

interface Rights {
  readonly replica: boolean;
  /** Whether transactions are read-only, set by an administrator for the server, the database or the login. */
  readonly fixed: boolean;
  readonly looks: boolean;
  readonly writes: boolean;
  /** Milliseconds since the newest replicated change was committed. */
  readonly age: number | null;
}

/** Missing tables count as permitted: they can still be created. */
const RIGHTS = `SELECT pg_is_in_recovery() AS replica, current_setting('transaction_read_only') = 'on' AS fixed,
    coalesce(has_table_privilege(to_regclass('head'), 'SELECT'), true) AS looks,
    coalesce(has_table_privilege(to_regclass('head'), 'UPDATE'), true) AS writes,
    CASE WHEN pg_is_in_recovery()
      THEN (extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::float8 END AS age`;

/** Reason why a project is read-only through an address (server or login); undefined if writable. Writes nothing. */
export async function readingOnly(queries: SqlQueries): Promise<ReadOnlyCause | undefined> {
  const { rows } = await queries.query<Rights>(RIGHTS);
  const { replica = false, fixed = false, looks = true, writes = true, age = null } = rows[0] ?? {};
  if (replica) return { by: 'replica', ageMs: age === null ? undefined : Math.max(0, Math.round(age)) };
  if (fixed) return { by: 'server', ageMs: undefined };
  return looks && !writes ? { by: 'login', ageMs: undefined } : undefined;
}

/** Rejects changes to a read-only project in advance; caches a positive result. Errors: `database_read_only`. */
export async function refuseReading(database: PostgresDatabase): Promise<void> {
  if (database.access.writes) return;
  const reading = await readingOnly(database);
  if (reading === undefined) database.access.writes = true;
  else throw readOnly(reading, database);
}

/** Error for a rejected change. Its details name the leader if known. */
export function readOnly(
  { by }: ReadOnlyCause,
  { schema }: Pick<PostgresDatabase, 'schema'>,
  leader?: string,
): TroupeError {
  const details = { by, ...(leader === undefined ? {} : { leader }) };
  switch (by) {
    case 'replica':
      return new TroupeError('database_read_only', {
        what: 'This database server is a replica, which can only be read: nothing was changed.',
        details,
      });
    case 'server':
      return new TroupeError('database_read_only', {
        what: 'This database server can only be read at present: nothing was changed.',
        details,
      });
    case 'login':
      return new TroupeError('database_read_only', {
        what: 'This login may only read the project: nothing was changed.',
        hint: `Choose the address of a member of ${rolesOf(schema).leader} with \`troupe database use ADDRESS\`.`,
        details,
      });
  }
}
