import type { LogEntry, Status } from '#core/graph/task.js';
import { cutBytes } from '#kernel/fence.js';
import { isJsonObject, type Json, type JsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { BrokenRecord } from './imported-task.js';

/** Text without characters that a database cannot store: NUL and halves of surrogate pairs. */
export function plainText(value: string): string {
  return value
    .replaceAll('\r\n', '\n')
    .replaceAll('\0', '\u2400')
    .replace(/\p{Surrogate}/gu, '\ufffd');
}

/** The text of a field; a number as text; empty if it is neither. */
export function fieldText(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? plainText(value) : '';
}

/** A title on one line, without control characters. */
export function titleOf(value: unknown): string {
  return fieldText(value)
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/gu, ' ')
    .trim();
}

/** Texts and numbers of a list; a single one counts as a list, also as `a, b`. */
export function fieldTexts(value: unknown): string[] {
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value];
  return list.map((item) => fieldText(item).trim()).filter((text) => text !== '');
}

/** A time as RFC 3339 in UTC; undefined if it is missing or unreadable. */
export function timeIn(value: unknown): string | undefined {
  const text = fieldText(value);
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return undefined;
  const time = Date.parse(/^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(text) ? `${text.replace(' ', 'T')}Z` : text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

const WORDS: Readonly<Record<string, readonly string[]>> = {
  blocked: ['blocked'],
  done: ['done', 'closed', 'complete', 'completed', 'resolved', 'fixed', 'merged', 'shipped', 'finished', 'released'],
  failed: ['failed'],
  abandoned: [
    ...['abandoned', 'cancelled', 'canceled', 'wont-do', 'wontfix', 'wont-fix', 'obsolete', 'skipped', 'rejected'],
    ...['duplicate', 'not-planned', 'invalid', 'dropped', 'superseded', 'archived'],
  ],
};
const BY_WORD = new Map(
  Object.entries(WORDS).flatMap(([status, words]) => words.map((word) => [word, status as Status])),
);

/**
 * Status for the tracker's word. Every word for unfinished work means open, and so does an unknown one: no run and no
 * person here works on the task yet.
 */
export function statusForWord(word: string): Status {
  return (
    BY_WORD.get(
      word
        .toLowerCase()
        .replace(/['’]/g, '')
        .trim()
        .replace(/[\s_]+/g, '-'),
    ) ?? 'open'
  );
}

/** The fields of a record that are not named and not empty. */
export function restOf(record: JsonObject, taken: readonly string[]): JsonObject {
  const named = new Set(taken);
  return Object.fromEntries(Object.entries(record).filter(([name, value]) => !named.has(name) && !isEmpty(value)));
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '' || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** Parts of a description: each text that is not empty, below its heading. */
export function sections(parts: readonly (readonly [heading: string, text: string])[]): string {
  return parts
    .filter(([, text]) => text.trim() !== '')
    .map(([heading, text]) => (heading === '' ? text.trim() : `## ${heading}\n\n${text.trim()}`))
    .join('\n\n');
}

/** Entries of a log for a comment. A comment longer than an entry may be is continued in the next one. */
export function comment(actor: string, timestamp: string | undefined, message: string): LogEntry[] {
  const entries: LogEntry[] = [];
  let rest = plainText(message).trim();
  while (rest !== '') {
    const part = cutBytes(rest, WORK_LIMITS.logMessageBytes);
    entries.push({ timestamp: timestamp ?? '', actor, message: part });
    rest = rest.slice(part.length);
  }
  return entries;
}

/** Each line of a file of JSON lines that is not empty, with its number. */
export function* numberedLines(text: string): Generator<{ readonly line: number; readonly text: string }> {
  let line = 0;
  for (const part of text.replace(/^\ufeff/, '').split('\n')) {
    line++;
    const trimmed = part.trim();
    if (trimmed !== '') yield { line, text: trimmed };
  }
}

/** The objects of a list, and the other items as broken records. */
export function objectsIn(list: readonly unknown[], place: string, broken: BrokenRecord[]): [string, JsonObject][] {
  return list.flatMap((item, index): [string, JsonObject][] => {
    const at = `${place}[${index}]`;
    if (isJsonObject(item)) return [[at, item]];
    broken.push({ place: at, why: 'not an object' });
    return [];
  });
}
