import { TroupeError } from '#kernel/errors.js';
import type { DatabaseClock } from './clock.js';
import type { SqlQueries } from './database.js';

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

export async function presentHead(queries: SqlQueries, clock: DatabaseClock): Promise<Head> {
  return await headBy(`SELECT ${HEAD_COLUMNS} FROM head`, queries, clock);
}

/** The same once nobody writes: until the end of this transaction nobody else does. */
export async function lockedHead(queries: SqlQueries, clock: DatabaseClock): Promise<Head> {
  return await headBy(`SELECT ${HEAD_COLUMNS} FROM head FOR UPDATE`, queries, clock);
}

/** Refuses tables that are not the place of the project: `not_initialized`, `storage_retired`. */
export function refuseUnused({ state }: Head): void {
  if (state === 'retired') throw new TroupeError('storage_retired');
  if (state === 'empty') throw new TroupeError('not_initialized', { what: 'The tables of the project are empty.' });
}

async function headBy(statement: string, queries: SqlQueries, clock: DatabaseClock): Promise<Head> {
  const asked = performance.now();
  const { rows } = await queries.query<Head>(statement);
  const [head] = rows;
  if (head === undefined) throw new TroupeError('data_corrupt', { what: 'The table head of the project is empty.' });
  clock.observe(head.said, asked, performance.now());
  return head;
}
