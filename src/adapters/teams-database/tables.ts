import { LIMITS } from '#kernel/limits.js';
import { type KnownRequest, refuseReused } from '#kernel/request.js';
import type { TeamsFault } from '#ports/team-store.js';
import type { Database } from './database.js';

/** The tables of `teams.db`, which several adapters share. `work` is synchronous: nobody else writes while it runs. */
export interface Tables {
  /** Whether anything was ever kept. */
  exists(): boolean;
  /** Milliseconds, for what is stamped as it is written. */
  now(): number;
  /** Answers from the tables as they are, or `none` where nothing was ever kept. */
  read<Result>(none: Result, work: (database: Database) => Result): Promise<Result>;
  /** One change, whole or not at all. */
  write<Result>(work: (database: Database) => Result): Promise<Result>;
  /** The reason why the tables cannot be used; undefined where they can. */
  fault(thoroughly: boolean): Promise<TeamsFault | undefined>;
  /** Puts the latest copy in the place of damaged tables; answers what it did, a sentence each. */
  restore(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * A change that is done once for each request: asked again, it answers what was kept. Every answer is read back from what is kept, so the
 * first is the same as those after it. Errors: `request_id_reused`.
 */
export async function writeOnce<Result>(
  tables: Tables,
  request: KnownRequest,
  work: (database: Database) => Result,
): Promise<Result> {
  return await tables.write((database) => {
    const kept = keptAnswer<Result>(database, request);
    return kept ? kept.result : keepAnswer(database, request, work(database), tables.now());
  });
}

/** The answer that a request got before. Errors: `request_id_reused`. */
export function keptAnswer<Result>(
  database: Database,
  { requestId, input }: KnownRequest,
): { readonly result: Result } | undefined {
  const [row] = database.all('SELECT input, result_json FROM requests WHERE id = ?', requestId);
  if (row === undefined) return undefined;
  refuseReused(requestId, String(row['input']), input);
  return { result: readBack(row['result_json']) as Result };
}

/** Keeps an answer for as long as a request may be repeated, and answers it as it will be read. */
export function keepAnswer<Result>(
  database: Database,
  { requestId, input }: KnownRequest,
  result: Result,
  at: number,
): Result {
  const json = JSON.stringify(result) ?? null;
  database.run('DELETE FROM requests WHERE at < ?', at - LIMITS.answeredMs);
  database.run('INSERT INTO requests VALUES (?, ?, ?, ?)', requestId, input, json, at);
  return readBack(json) as Result;
}

function readBack(json: unknown): unknown {
  return typeof json === 'string' ? JSON.parse(json) : undefined;
}
