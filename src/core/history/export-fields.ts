import { isStatus } from '#core/graph/task.js';
import type { Json, JsonObject } from '#kernel/json.js';

/** What may pass: ids that go along, and texts after what must not leave was taken out of them. */
export interface Sieve {
  /** May this task be named? */
  includes(id: string): boolean;
  clean(text: string): string;
  /** Does this text name something that may not be named? Then a path with it stays behind. */
  mentions(text: string): boolean;
}

/** Reads one field and answers what of it may pass; undefined: nothing. */
export type FieldReader = (value: unknown, sieve: Sieve) => Json | undefined;
export type FieldList = Readonly<Record<string, FieldReader>>;

/** An object with those of the named fields that have the right form. Nothing else is ever copied. */
export function pick(value: unknown, fields: FieldList, sieve: Sieve): JsonObject {
  const picked: JsonObject = {};
  if (typeof value !== 'object' || value === null) return picked;
  for (const [name, read] of Object.entries(fields)) {
    if (!Object.hasOwn(value, name)) continue;
    const field = read((value as Record<string, unknown>)[name], sieve);
    if (field !== undefined) picked[name] = field;
  }
  return picked;
}

export const textReader: FieldReader = (value, sieve) => (typeof value === 'string' ? sieve.clean(value) : undefined);

export const numberReader: FieldReader = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

export const flagReader: FieldReader = (value) => (typeof value === 'boolean' ? value : undefined);

/** Text, number or boolean: a value somebody typed. */
export const scalarReader: FieldReader = (value, sieve) =>
  textReader(value, sieve) ?? numberReader(value, sieve) ?? flagReader(value, sieve);

/** A moment, written anew, so that nothing else travels in its place. */
export const time: FieldReader = (value) => {
  const milliseconds = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(milliseconds) ? undefined : new Date(milliseconds).toISOString();
};

export const statusReader: FieldReader = (value) => (isStatus(value) ? value : undefined);

export const oneOfReader =
  (...words: readonly string[]): FieldReader =>
  (value) =>
    typeof value === 'string' && words.includes(value) ? value : undefined;

const listOf =
  (read: FieldReader): FieldReader =>
  (value, sieve) => {
    if (!Array.isArray(value)) return undefined;
    const items = value.flatMap((item: unknown) => read(item, sieve) ?? []);
    return items.length === 0 ? undefined : items;
  };

export const textsReader = listOf(textReader);

/** An id of a task that goes along. */
export const exportedId: FieldReader = (value, sieve) =>
  typeof value === 'string' && sieve.includes(value) ? value : undefined;

export const exportedIds = listOf(exportedId);

/** A path within the project, relative to its top. */
const path: FieldReader = (value, sieve) => {
  if (typeof value !== 'string' || value === '' || sieve.mentions(value)) return undefined;
  const parts = value.split(/[\\/]/);
  const outside =
    parts[0] === '' || /^(?:[A-Za-z][\w+.-]*:[\\/]|~)/.test(value) || parts.includes('..') || value.includes('\0');
  return outside ? undefined : sieve.clean(value);
};

export const pathsReader = listOf(path);

export const object =
  (fields: FieldList): FieldReader =>
  (value, sieve) => {
    const picked = pick(value, fields, sieve);
    return Object.keys(picked).length === 0 ? undefined : picked;
  };

export const objects = (fields: FieldList): FieldReader => listOf(object(fields));

/** Named numbers, such as the dimensions of a score. */
export const numbers: FieldReader = (value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value).filter(
    ([name, item]) => /^[a-z][a-z0-9_]{0,59}$/.test(name) && numberReader(item, NOTHING) !== undefined,
  );
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as JsonObject);
};

const NOTHING: Sieve = { includes: () => false, clean: () => '', mentions: () => true };
