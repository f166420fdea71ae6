import { isStatus } from '#core/graph/task.js';
import { isJsonObject, type Json, type JsonObject } from '#kernel/json.js';

/** Filter of an export: ids that may appear, and texts cleaned of everything that must not leave. */
export interface Sieve {
  /** Whether this task may be named. */
  includes(id: string): boolean;
  clean(text: string): string;
  /** Whether this text names a hidden task; a path that does is omitted. */
  mentions(text: string): boolean;
}

/** Returns the exportable part of a field; undefined omits the field. */
export type FieldReader = (value: unknown, sieve: Sieve) => Json | undefined;
export type FieldList = Readonly<Record<string, FieldReader>>;

/** Copies the listed fields that are valid. Nothing else is ever copied. */
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

/** Text, number or boolean. */
export const scalarReader: FieldReader = (value, sieve) =>
  textReader(value, sieve) ?? numberReader(value, sieve) ?? flagReader(value, sieve);

/** A timestamp, reformatted, which prevents other text from passing in its place. */
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

/** An id of an exported task. */
export const exportedId: FieldReader = (value, sieve) =>
  typeof value === 'string' && sieve.includes(value) ? value : undefined;

export const exportedIds = listOf(exportedId);

/** A path relative to the project root, inside the project. */
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
  if (!isJsonObject(value)) return undefined;
  const entries = Object.entries(value).filter(
    ([name, item]) => /^[a-z][a-z0-9_]{0,59}$/.test(name) && numberReader(item, NOTHING) !== undefined,
  );
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as JsonObject);
};

const NOTHING: Sieve = { includes: () => false, clean: () => '', mentions: () => true };
