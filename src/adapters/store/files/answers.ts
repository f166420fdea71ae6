import type { Entry, EventDraft } from '#core/graph/event.js';
import type { Clock } from '#kernel/clock.js';
import type { Json } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import type { Commit } from '#ports/graph-store.js';
import { parseEntry, readBytes } from './log-file.js';
import { piecesBefore, unpacked } from './log-pieces.js';
import type { StorePaths } from './paths.js';

const LINE_FEED = 10;
/** How an answered request is marked in its last entry. */
const MARK = '"request":{"id":';

/** What requests were answered with, so that asking twice does not do it twice. Whoever answered may have died before saying so. */
export class Answers {
  private readonly paths: StorePaths;
  private readonly clock: Clock;
  private readonly known = new Map<string, Commit<unknown>>();

  constructor(paths: StorePaths, clock: Clock) {
    this.paths = paths;
    this.clock = clock;
  }

  /** `lookAgain`: others may have answered since. */
  of(requestId: string, lookAgain: boolean): Commit<unknown> | undefined {
    if (lookAgain) this.recall();
    return this.known.get(requestId);
  }

  keep(requestId: string, commit: Commit<unknown>): void {
    this.known.set(requestId, commit);
    const oldest = this.known.keys().next();
    if (this.known.size > LIMITS.answeredMost && !oldest.done) this.known.delete(oldest.value);
  }

  /** Finds what the log says was answered lately. */
  recall(): void {
    const since = this.clock.now() - LIMITS.answeredMs;
    for (const [id, commit] of answersSince(this.paths, since)) this.keep(id, commit);
  }
}

/**
 * The requests answered since a moment, the oldest first: whoever answered them may have been killed before saying so.
 * Looks back across pieces of the log; only lines that hold an answer are parsed.
 */
function answersSince(paths: StorePaths, since: number): Map<string, Commit<unknown>> {
  const answers: [string, Commit<unknown>][] = [];
  let data = readBytes(paths.log, 0);
  let first = firstEntry(data);
  const older = first === undefined ? [] : piecesBefore(paths, first.seq);
  while (first !== undefined) {
    answers.unshift(...answersIn(data, since));
    const before = older.pop();
    if (before === undefined || Date.parse(first.timestamp) < since || answers.length > LIMITS.answeredMost) break;
    data = unpacked(before.file);
    first = firstEntry(data);
  }
  return new Map(answers.slice(-LIMITS.answeredMost));
}

function answersIn(data: Buffer, since: number): [string, Commit<unknown>][] {
  const found: [string, Commit<unknown>][] = [];
  for (let at = data.indexOf(MARK); at !== -1; ) {
    const end = data.indexOf(LINE_FEED, at);
    if (end === -1) break;
    const entry = parseEntry(data.toString('utf8', data.lastIndexOf(LINE_FEED, at) + 1, end));
    const request = entry?.detail?.['request'] as { id: string; result: unknown } | undefined;
    if (entry && request && Date.parse(entry.timestamp) >= since) {
      found.push([request.id, { seq: entry.seq, entries: [entry], result: request.result }]);
    }
    at = data.indexOf(MARK, end);
  }
  return found;
}

function firstEntry(data: Buffer): Entry | undefined {
  const end = data.indexOf(LINE_FEED);
  return end === -1 ? undefined : parseEntry(data.toString('utf8', 0, end));
}

/** A request's id and result travel with its last event, so that a repeated request finds its answer after a crash. */
export function withRequest(
  events: readonly EventDraft[],
  requestId: string | undefined,
  result: unknown,
): readonly EventDraft[] {
  const last = events.at(-1);
  if (requestId === undefined || !last) return events;
  const request = { id: requestId, result: result as Json };
  return [...events.slice(0, -1), { ...last, detail: { ...last.detail, request } }];
}
