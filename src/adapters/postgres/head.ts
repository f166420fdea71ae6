import { TroupeError } from '#kernel/errors.js';
import type { DatabaseClock } from './clock.js';
import type { AnsweredRows, SqlQueries } from './database.js';

/** State of a project's tables: log position and leader. */
export interface Head {
  /** `empty`: created and never used. `retired`: moved elsewhere. */
  readonly state: 'empty' | 'in-use' | 'retired';
  readonly seq: number;
  readonly last_id: string | null;
  readonly epoch: number;
  /** For display, such as `pid 12 on box`. */
  readonly leader: string | null;
  /** End of the leader's lease, as text; null without a leader. */
  readonly lease: string | null;
  /** Time of the database, in milliseconds. */
  readonly said: number;
}

/** Columns that form a `Head`. */
export const HEAD_COLUMNS = `state, seq, last_id, epoch, leader,
  CASE WHEN lease_until > clock_timestamp() THEN lease_until::text END AS lease,
  (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS said`;

/** Locks the head: waits for other writers and excludes them until the transaction ends. */
export const LOCK_HEAD = `SELECT ${HEAD_COLUMNS} FROM head FOR UPDATE`;

export async function presentHead(queries: SqlQueries, clock: DatabaseClock): Promise<Head> {
  const asked = performance.now();
  return headIn(await queries.query<Head>(`SELECT ${HEAD_COLUMNS} FROM head`), clock, asked);
}

/** Rejects tables that hold no project. Errors: `not_initialized`, `storage_retired`. */
export function refuseUnused({ state }: Head): void {
  if (state === 'retired') throw new TroupeError('storage_retired');
  if (state === 'empty') throw new TroupeError('not_initialized', { what: 'The tables of the project are empty.' });
}

/** Extracts the head from a result and updates the clock; `asked` is the `performance.now()` of the query. */
export function headIn({ rows: [head] }: AnsweredRows<Head>, clock: DatabaseClock, asked: number): Head {
  if (head === undefined) throw new TroupeError('data_corrupt', { what: 'The table head of the project is empty.' });
  clock.observe(head.said, asked, performance.now());
  return head;
}
