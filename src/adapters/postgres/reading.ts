import { TroupeError } from '#kernel/errors.js';
import type { ReadingOnly } from '#ports/storage.js';
import type { PostgresDatabase, SqlQueries } from './database.js';
import { rolesOf } from './roles.js';

interface Rights {
  readonly replica: boolean;
  /** Of whatever comes now: an administrator may have said so of the server, the database or the login. */
  readonly fixed: boolean;
  readonly looks: boolean;
  readonly writes: boolean;
  /** How long ago the newest change that arrived was committed, in milliseconds. */
  readonly age: number | null;
}

/** Tables that are not there keep nobody from making them. */
const RIGHTS = `SELECT pg_is_in_recovery() AS replica, current_setting('transaction_read_only') = 'on' AS fixed,
    coalesce(has_table_privilege(to_regclass('head'), 'SELECT'), true) AS looks,
    coalesce(has_table_privilege(to_regclass('head'), 'UPDATE'), true) AS writes,
    CASE WHEN pg_is_in_recovery()
      THEN (extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::float8 END AS age`;

/** Why a project can only be read through an address: the server, or the login. Undefined where it can be changed. Writes nothing. */
export async function readingOnly(queries: SqlQueries): Promise<ReadingOnly | undefined> {
  const { rows } = await queries.query<Rights>(RIGHTS);
  const { replica = false, fixed = false, looks = true, writes = true, age = null } = rows[0] ?? {};
  if (replica) return { by: 'replica', ageMs: age === null ? undefined : Math.max(0, Math.round(age)) };
  if (fixed) return { by: 'server', ageMs: undefined };
  return looks && !writes ? { by: 'login', ageMs: undefined } : undefined;
}

/** Refuses a change where the project can only be read, before anything of it is tried: `database_read_only`. Asks once where it can be changed. */
export async function refuseReading(database: PostgresDatabase): Promise<void> {
  if (database.access.writes) return;
  const reading = await readingOnly(database);
  if (reading === undefined) database.access.writes = true;
  else throw readOnly(reading, database);
}

/** The refusal of a change; its details tell who leads, where that is known. */
export function readOnly({ by }: ReadingOnly, { schema }: PostgresDatabase, leader?: string): TroupeError {
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
