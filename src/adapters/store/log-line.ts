import type { Entry } from '#core/graph/event.js';
import { entryProblem, isFromLaterVersion } from '#core/graph/record-problem.js';
import { type JsonObject, parseForeignObject } from '#kernel/json.js';

export interface ParsedLine {
  readonly entry?: Entry;
  readonly problem?: string;
  /** Whether only a later version understands all of it. */
  readonly later?: boolean;
}

/** A line that no reader of entries is interested in. */
export const NO_ENTRY: ParsedLine = {};

/** A line as an entry; undefined when it is none. */
export function parseEntry(text: string): Entry | undefined {
  return parseLine(text).entry;
}

/** A line as an entry, or why it is none. */
export function parseLine(text: string): ParsedLine {
  const value = parseForeignObject(text);
  if (typeof value === 'string')
    return { problem: /^(<{7}|={7}|>{7}|\|{7})/.test(text) ? 'a git conflict marker' : value };
  if (isHistoryOnly(value)) return NO_ENTRY;
  const later = isFromLaterVersion(value);
  const problem = entryProblem(value);
  if (problem === undefined) return { entry: value as unknown as Entry, later };
  return { problem: later ? 'an entry of a later version' : problem, later };
}

/** The original tool's entries say who did what, but not what would redo it. */
export function isHistoryOnly({ seq, patch, op, timestamp }: JsonObject): boolean {
  return seq === undefined && patch === undefined && typeof op === 'string' && typeof timestamp === 'string';
}
