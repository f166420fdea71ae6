import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { type KnownRequest, refuseReused } from '#kernel/request.js';
import type { TeamsFault } from '#ports/team-store.js';
import { ADD_REQUEST, FORGET_REQUESTS, REQUEST } from './request-statements.js';
import { perform, type Statements } from './statement.js';

/** The tables of teams and mail, which several adapters share. Statements may be begun anew; an error in them is thrown on. */
export interface Tables {
  /** Whether anything was ever kept. */
  exists(): boolean;
  /** Milliseconds, for what is stamped as it is written. */
  now(): number;
  /** Another text whenever a process has changed the tables. */
  state(): Statements<string>;
  /** Answers from the tables as they are, or `none` where nothing was ever kept. */
  read<Result>(none: Result, work: () => Statements<Result>): Promise<Result>;
  /** One change, whole or not at all. Nobody else writes while it runs. */
  write<Result>(work: () => Statements<Result>): Promise<Result>;
  /** Fails now where a write would. */
  open(): Promise<void>;
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
    // A commit whose answer was lost: it looks again whether it was carried out, and else does it.
    if (!(error instanceof TroupeError) || error.code !== 'database_unsure') throw error;
    return await once();
  }
}

/** The answer that a request got before. Errors: `request_id_reused`. */
export function* keptAnswer<Result>({
  requestId,
  input,
}: KnownRequest): Statements<{ readonly result: Result } | undefined> {
  const [row] = yield* perform(REQUEST, { id: requestId });
  if (row === undefined) return undefined;
  refuseReused(requestId, row.input, input);
  return { result: readBack(row.result_json) as Result };
}

/** Keeps an answer for as long as a request may be repeated, and answers it as it will be read. */
export function* keepAnswer<Result>(
  { requestId, input }: KnownRequest,
  answer: Result,
  at: number,
): Statements<Result> {
  const result = JSON.stringify(answer) ?? null;
  yield* perform(FORGET_REQUESTS, { before: at - LIMITS.answeredMs });
  yield* perform(ADD_REQUEST, { id: requestId, input, result, at });
  return readBack(result) as Result;
}

function readBack(json: unknown): unknown {
  return typeof json === 'string' ? JSON.parse(json) : undefined;
}
