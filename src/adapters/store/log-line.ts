import type { Entry } from '#core/graph/event.js';
import { entryProblem, isFromLaterVersion } from '#core/graph/record-problem.js';
import { type JsonObject, parseForeignObject } from '#kernel/json.js';

export interface ParsedLine {
  readonly entry?: Entry;
  readonly problem?: string;
  /** Whether only a later version understands it fully. */
  readonly later?: boolean;
}

/** Line that readers of entries skip. */
export const NO_ENTRY: ParsedLine = {};

/** Parses a line; undefined if it is not an entry. */
export function parseEntry(text: string): Entry | undefined {
  return parseLine(text).entry;
}

/** Parses a line into an entry or a problem. */
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

/** Whether this is an entry of the original tool: it records author and action, but no data to redo it. */
export function isHistoryOnly({ seq, patch, op, timestamp }: JsonObject): boolean {
  return seq === undefined && patch === undefined && typeof op === 'string' && typeof timestamp === 'string';
}
