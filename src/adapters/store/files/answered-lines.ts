import type { Entry } from '#core/graph/event.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { parseJsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import { parseEntry } from '../log-line.js';
import { readBytes } from './disk.js';
import { piecesBefore, unpacked } from './log-pieces.js';

const LINE_FEED = 10;
/** Marks an answered request in its last entry. */
const MARK = '"request":{"id":';

/** Entry that answered a request, with its log line. */
export interface AnsweredLine {
  readonly entry: Entry;
  readonly request: AnsweredRequest;
  readonly text: string;
}

interface AnsweredRequest {
  readonly id: string;
  readonly input?: string;
  readonly result: unknown;
}

/**
 * Returns the entries that answered requests since a time, or only the request `id`, oldest first. Searches closed log
 * segments too, or the answers file written when the last segment was closed. Parses only lines that contain an answer.
 */
export function answeredSince(paths: GraphLayout, log: Buffer, since: number, id?: string): readonly AnsweredLine[] {
  const mark = id === undefined ? MARK : MARK + JSON.stringify(id);
  let data = log;
  let first = firstEntry(data);
  const kept = first && keptAnswers(paths, first);
  const older = first === undefined || kept ? [] : piecesBefore(paths, first.seq);
  let lines: AnsweredLine[] = [];
  while (first !== undefined) {
    lines = [...linesIn(data, mark, since), ...lines];
    const before = older.pop();
    if (before === undefined || Date.parse(first.timestamp) < since || lines.length > LIMITS.answeredMost) break;
    data = unpacked(before.file);
    first = firstEntry(data);
  }
  return kept ? [...linesIn(kept, mark, since), ...lines] : lines;
}

/** Stored answers of the segments before `op`'s entry, the first of the log; undefined if there are none. */
function keptAnswers(paths: GraphLayout, { op, prev }: Entry): Buffer | undefined {
  if (op !== 'base' || prev === undefined) return undefined;
  const data = readBytes(paths.answers);
  const end = data?.indexOf(LINE_FEED) ?? -1;
  if (!data || end === -1 || parseJsonObject(data.toString('utf8', 0, end))?.['last_id'] !== prev) return undefined;
  return data.subarray(end + 1);
}

function linesIn(data: Buffer, mark: string, since: number): AnsweredLine[] {
  const lines: AnsweredLine[] = [];
  for (let at = data.indexOf(mark); at !== -1; ) {
    const end = data.indexOf(LINE_FEED, at);
    if (end === -1) break;
    const text = data.toString('utf8', data.lastIndexOf(LINE_FEED, at) + 1, end);
    const entry = parseEntry(text);
    const request = entry?.detail?.['request'] as AnsweredRequest | undefined;
    if (entry && request && Date.parse(entry.timestamp) >= since) lines.push({ entry, request, text });
    at = data.indexOf(mark, end);
  }
  return lines;
}

function firstEntry(data: Buffer): Entry | undefined {
  const end = data.indexOf(LINE_FEED);
  return end === -1 ? undefined : parseEntry(data.toString('utf8', 0, end));
}
