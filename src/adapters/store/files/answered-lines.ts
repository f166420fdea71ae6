import type { Entry } from '#core/graph/event.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { parseJsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { parseEntry } from '../log-line.js';
import { readBytes } from './disk.js';
import { piecesBefore, unpacked } from './log-pieces.js';

const LINE_FEED = 10;
/** Marks an answered request in its last entry. */
const MARK = '"request":{"id":';

/** Entry that answered a request. */
interface AnsweredEntry {
  readonly entry: Entry;
  readonly request: AnsweredRequest;
}

interface AnsweredRequest {
  readonly id: string;
  readonly input?: string;
  readonly result: unknown;
}

/**
 * Returns the latest entries that answered requests since a time, or only the request `id`, oldest first. Searches
 * closed log segments too, or the answers file written when the last segment was closed. Parses only lines that contain
 * an answer.
 */
export function answeredSince(paths: GraphLayout, log: Buffer, since: number, id?: string): readonly AnsweredEntry[] {
  const mark = id === undefined ? MARK : MARK + JSON.stringify(id);
  const answered: AnsweredEntry[] = [];
  for (const line of linesWith(paths, log, { mark, since })) {
    const entry = entryIn(line);
    const request = entry?.detail?.['request'] as AnsweredRequest | undefined;
    if (entry && request && isSince(entry, since)) answered.push({ entry, request });
    if (answered.length === WORK_LIMITS.answeredMost) break;
  }
  return answered.reverse();
}

/** Number of consecutive lines of which only one is parsed for its time. */
const LINES_PER_TIME = 64;

/**
 * Lines of the latest answers since a time, oldest first; some of them may be slightly older. They are not parsed: with
 * the maximum number of answers, that would stop a service for half a second.
 */
export function answeredLines(paths: GraphLayout, log: Buffer, since: number): readonly Buffer[] {
  const lines: Buffer[] = [];
  let isRecent = false;
  let seen = 0;
  for (const line of linesWith(paths, log, { mark: MARK, since })) {
    if (seen++ % LINES_PER_TIME === 0) isRecent = isSince(entryIn(line), since);
    if (isRecent) lines.push(line);
    if (lines.length === WORK_LIMITS.answeredMost) break;
  }
  return lines.reverse();
}

function entryIn(line: Buffer): Entry | undefined {
  return parseEntry(line.toString('utf8'));
}

function isSince(entry: Entry | undefined, since: number): boolean {
  return entry !== undefined && Date.parse(entry.timestamp) >= since;
}

/** Lines of the log and of what was closed before it that contain a mark, newest first, without line feeds. */
function* linesWith(
  paths: GraphLayout,
  log: Buffer,
  { mark, since }: { readonly mark: string; readonly since: number },
): Iterable<Buffer> {
  for (const data of segments(paths, log, since)) {
    for (let at = data.lastIndexOf(mark); at !== -1; ) {
      const start = data.lastIndexOf(LINE_FEED, at) + 1;
      const end = data.indexOf(LINE_FEED, at);
      if (end !== -1) yield data.subarray(start, end);
      at = start === 0 ? -1 : data.lastIndexOf(mark, start - 1);
    }
  }
}

/** The log, then the answers kept of the segments before it, or else those segments as far as they are since a time. */
function* segments(paths: GraphLayout, log: Buffer, since: number): Iterable<Buffer> {
  yield log;
  let first = firstEntry(log);
  const kept = first && keptAnswers(paths, first);
  if (kept) yield kept;
  const older = first === undefined || kept ? [] : piecesBefore(paths, first.seq);
  for (let piece = older.pop(); piece && isSince(first, since); piece = older.pop()) {
    const data = unpacked(piece.file);
    yield data;
    first = firstEntry(data);
  }
}

/** Stored answers of the segments before `op`'s entry, the first of the log; undefined if there are none. */
function keptAnswers(paths: GraphLayout, { op, prev }: Entry): Buffer | undefined {
  if (op !== 'base' || prev === undefined) return undefined;
  const data = readBytes(paths.answers);
  const end = data?.indexOf(LINE_FEED) ?? -1;
  if (!data || end === -1 || parseJsonObject(data.toString('utf8', 0, end))?.['last_id'] !== prev) return undefined;
  return data.subarray(end + 1);
}

function firstEntry(data: Buffer): Entry | undefined {
  const end = data.indexOf(LINE_FEED);
  return end === -1 ? undefined : parseEntry(data.toString('utf8', 0, end));
}
