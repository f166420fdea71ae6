import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { type KnownRequest, refuseReused } from '#kernel/request.js';
import type { TeamsFault } from '#ports/team-store.js';
import { ADD_REQUEST, FORGET_REQUESTS, REQUEST } from './request-statements.js';
import { perform, type Statements } from './statement.js';

/** Tables of teams and mail, shared by several adapters. Statement generators may be restarted; errors are rethrown. */
export interface Tables {
  /** Whether the tables exist. */
  exists(): boolean;
  /** Time in milliseconds, for timestamps of rows. */
  now(): number;
  /** Text that changes whenever any process changes the tables. */
  state(): Statements<string>;
  /** Reads the present tables; returns `none` if they do not exist. */
  read<Result>(none: Result, work: () => Statements<Result>): Promise<Result>;
  /** Runs a transaction that excludes other writers. */
  write<Result>(work: () => Statements<Result>): Promise<Result>;
  /** Opens the tables; fails if a write would fail. */
  open(): Promise<void>;
  /** Reason why the tables are unusable; undefined if they are fine. */
  fault(thoroughly: boolean): Promise<TeamsFault | undefined>;
  /** Replaces damaged tables with the latest copy. Returns a sentence for each action. */
  restore(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * Runs a change once per request; a repetition returns the stored answer. Even the first answer is parsed from its
 * stored form, so all answers are equal. Errors: `request_id_reused`.
 */
export async function writeOnce<Result>(
  tables: Tables,
  request: KnownRequest,
  work: () => Statements<Result>,
): Promise<Result> {
  const once = () =>
    tables.write(function* () {
      const kept = yield* keptAnswer<Result>(request);
      return kept ? kept.result : yield* keepAnswer(request, yield* work(), tables.now());
    });
  try {
    return await once();
  } catch (error) {
    // The answer of the commit was lost: the retry checks whether it was carried out.
    if (!(error instanceof TroupeError) || error.code !== 'database_unsure') throw error;
    return await once();
  }
}

/** Stored answer of a request. Errors: `request_id_reused`. */
export function* keptAnswer<Result>({
  requestId,
  input,
}: KnownRequest): Statements<{ readonly result: Result } | undefined> {
  const [row] = yield* perform(REQUEST, { id: requestId });
  if (row === undefined) return undefined;
  refuseReused(requestId, row.input, input);
  return { result: readBack(row.result_json) as Result };
}

/** Stores an answer for the time in which a request may be repeated, and returns its parsed form. */
export function* keepAnswer<Result>(
  { requestId, input }: KnownRequest,
  answer: Result,
  at: number,
): Statements<Result> {
  const result = JSON.stringify(answer) ?? null;
  yield* perform(FORGET_REQUESTS, { before: at - WORK_LIMITS.answeredMs });
  yield* perform(ADD_REQUEST, { id: requestId, input, result, at });
  return readBack(result) as Result;
}

function readBack(json: unknown): unknown {
  return typeof json === 'string' ? JSON.parse(json) : undefined;
}
