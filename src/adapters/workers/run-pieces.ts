import type { PostgresDatabase, SqlQueries } from '#adapters/postgres/database.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import type { Blobs } from '#ports/blobs.js';

interface PieceRow {
  readonly position: number;
  readonly size: number;
  readonly bytes: Buffer | null;
  readonly sha256: string;
  readonly skip: number;
  readonly blob_size: number;
}

/** Blob folder of a run. Includes the schema because projects may share a store. */
export function folderOfRun({ schema }: Pick<PostgresDatabase, 'schema'>, run: string): string {
  return `${schema}/${run}`;
}

/** Stored bytes of a run's output, events or prompt. */
export async function sizeOfPart(queries: SqlQueries, run: string, of: string): Promise<number> {
  const { rows } = await queries.query<{ size: number }>(
    'SELECT position + size AS size FROM run_pieces WHERE run = $1 AND of = $2 ORDER BY position DESC LIMIT 1',
    [run, of],
  );
  return rows[0]?.size ?? 0;
}

/** Reads at most `most` bytes. Calls `blobs` if some are stored outside the database. Errors: those of `Blobs.get`. */
export async function bytesOfPart(
  database: PostgresDatabase,
  blobs: () => Promise<Blobs>,
  { run, of, from, most }: { readonly run: string; readonly of: string; readonly from: number; readonly most: number },
): Promise<Buffer> {
  const { rows } = await database.query<PieceRow>(
    `SELECT position, size, bytes, coalesce(sha256, '') AS sha256, coalesce(skip, 0) AS skip,
       coalesce(blob_size, 0) AS blob_size FROM run_pieces
     WHERE run = $1 AND of = $2 AND position + size > $3 AND position < $4 ORDER BY position`,
    [run, of, from, from + most],
  );
  const skipped = from - (rows[0]?.position ?? from);
  const bytesOf = async ({ bytes, sha256, size, skip, blob_size }: PieceRow) => {
    if (bytes !== null) return bytes;
    const mark = { sha256, size: blob_size };
    const whole = await (await blobs()).get(folderOfRun(database, run), mark);
    return whole.subarray(skip, skip + size);
  };
  const { blobsAtOnce } = DATABASE_LIMITS;
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < rows.length; at += blobsAtOnce)
    pieces.push(...(await Promise.all(rows.slice(at, at + blobsAtOnce).map(bytesOf))));
  return Buffer.concat(pieces).subarray(skipped, skipped + most);
}
