import { promisify } from 'node:util';
import type { SqlQueries } from '#adapters/postgres/database.js';
import type { GraphState } from '#core/graph/state.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { type GraphBase, parseBase } from '../base-text.js';
import { packedBase } from '../packed-base.js';
import { freshLines } from '../picture-lines.js';

/** Snapshots kept. Views of the past start from the nearest earlier one. */
const KEPT_MOST = 16;

/** Base stored in the database. */
export interface KeptBase extends GraphBase {
  readonly seq: number;
}

/** Returns the latest base not after the entry `until`; undefined if there is none. Errors: `data_corrupt`. */
export async function latestBase(queries: SqlQueries, until = Number.MAX_SAFE_INTEGER): Promise<KeptBase | undefined> {
  const { rows } = await queries.query<{ seq: number; packed: Buffer }>(
    'SELECT seq, packed FROM snapshots WHERE seq <= $1 ORDER BY seq DESC LIMIT 1',
    [until],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const base = await unpacked(row.packed).then(
    (text) => parseBase(text, row.seq),
    () => undefined, // an unreadable base is reported below
  );
  if (base) return { seq: row.seq, ...base };
  throw damaged(row.seq);
}

/** Stores a base of the graph and deletes the oldest ones. */
export async function keepBase(queries: SqlQueries, picture: GraphState, lastId: string | undefined): Promise<void> {
  const packed = await packedBase(picture, freshLines(picture), lastId);
  await queries.query('INSERT INTO snapshots (seq, packed) VALUES ($1, $2) ON CONFLICT (seq) DO NOTHING', [
    picture.seq,
    packed,
  ]);
  await queries.query(
    'DELETE FROM snapshots WHERE seq < (SELECT seq FROM snapshots ORDER BY seq DESC OFFSET $1 LIMIT 1)',
    [KEPT_MOST - 1],
  );
}

async function unpacked(data: Buffer): Promise<string> {
  const { gunzip } = process.getBuiltinModule('node:zlib');
  return (await promisify(gunzip)(data, { maxOutputLength: WORK_LIMITS.unpackedBytes })).toString('utf8');
}

function damaged(seq: number): TroupeError {
  return new TroupeError('data_corrupt', {
    what: `The snapshot of the graph after entry ${seq} in the database is damaged.`,
    hint: 'Run `troupe doctor --rebuild graph`: it is made again from the log.',
  });
}
