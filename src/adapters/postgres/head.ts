import { TroupeError } from '#kernel/errors.js';
import type { DatabaseClock } from './clock.js';
import type { AnsweredRows, SqlQueries } from './database.js';

/** Whether a project is kept in its tables, how far its log goes, and who leads. */
export interface Head {
  /** `empty`: made, and never used. `retired`: it was moved to another place. */
  readonly state: 'empty' | 'in-use' | 'retired';
  readonly seq: number;
  readonly last_id: string | null;
  readonly epoch: number;
  /** In words, such as `pid 12 on box`. */
  readonly leader: string | null;
  /** Until when the leader's lease runs, in words; null where nobody leads. */
  readonly lease: string | null;
  /** Time of the database, in milliseconds. */
  readonly said: number;
}

/** A row of `head` as `Head`. */
export const HEAD_COLUMNS = `state, seq, last_id, epoch, leader,
  CASE WHEN lease_until > clock_timestamp() THEN lease_until::text END AS lease,
  (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS said`;

/** Waits until nobody writes: until the end of the transaction nobody else does. */
export const LOCK_HEAD = `SELECT ${HEAD_COLUMNS} FROM head FOR UPDATE`;

export async function presentHead(queries: SqlQueries, clock: DatabaseClock): Promise<Head> {
  const asked = performance.now();
  return headIn(await queries.query<Head>(`SELECT ${HEAD_COLUMNS} FROM head`), clock, asked);
}

/** Refuses tables that are not the place of the project: `not_initialized`, `storage_retired`. */
export function refuseUnused({ state }: Head): void {
  if (state === 'retired') throw new TroupeError('storage_retired');
  if (state === 'empty') throw new TroupeError('not_initialized', { what: 'The tables of the project are empty.' });
}

/** The head in an answer to what was asked at that moment of `performance.now()`; the clock learns from it. */
export function headIn({ rows: [head] }: AnsweredRows<Head>, clock: DatabaseClock, asked: number): Head {
  if (head === undefined) throw new TroupeError('data_corrupt', { what: 'The table head of the project is empty.' });
  clock.observe(head.said, asked, performance.now());
  return head;
}
