import { isJsonObject } from '#kernel/json.js';
import { SWEEP_LIMITS } from '#kernel/limits/sweep.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert } from '#kernel/text.js';
import type { SweepSchema } from './sweep-schema.js';

/** Cause of a thin slice, given by its scout. */
export const THIN_CAUSES = ['source-exhausted', 'tool-denied', 'weak-prompt', 'wrong-angle'] as const;
export type ThinCause = (typeof THIN_CAUSES)[number];

/** One discovery of a scout: the fields of the schema, as text. */
export interface ScoutEntry {
  readonly slice: string;
  readonly id: string;
  readonly title: string;
  readonly source: string;
  /** All fields by name, including these three. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Unusable content handed in by a scout. */
export interface RejectedEntry {
  readonly slice: string;
  /** Position in the list, from 1; undefined for the whole file. */
  readonly entry: number | undefined;
  readonly reason: string;
  /** Truncated content. */
  readonly text: string;
}

/** Parsed file of a scout. */
export interface ScoutReport {
  readonly slice: string;
  readonly entries: readonly ScoutEntry[];
  readonly rejected: readonly RejectedEntry[];
  readonly thin: ThinCause | undefined;
  /** Lesson for the next scout, if given. */
  readonly lesson: string | undefined;
}

/** File of a scout: its data, or the reason why there is none. */
export type ScoutFile = { readonly data: unknown } | { readonly problem: string };

const ID = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Validates a scout's file against the schema, entry by entry: an invalid entry is rejected with its reason and does
 * not affect the others. Stored texts contain no secrets and no hidden characters.
 */
export function readScout(slice: string, file: ScoutFile, schema: SweepSchema): ScoutReport {
  const nothing = (reason: string): ScoutReport => ({
    slice,
    entries: [],
    thin: undefined,
    lesson: undefined,
    rejected: [{ slice, entry: undefined, reason, text: '' }],
  });
  if ('problem' in file) return nothing(file.problem);
  if (!isJsonObject(file.data)) return nothing(`it is not a list called ${schema.root}`);
  const { [schema.root]: list, thin, lesson, ...others } = file.data;
  const [other] = Object.keys(others);
  if (other !== undefined) return nothing(`it has ${shown(other, 40)} beside the list ${schema.root}`);
  if (!Array.isArray(list)) return nothing(`it has no list called ${schema.root}`);
  const entries: ScoutEntry[] = [];
  const rejected: RejectedEntry[] = [];
  for (const [index, value] of list.slice(0, SWEEP_LIMITS.scoutEntries).entries()) {
    const entry = entryOf(slice, value, schema);
    if (typeof entry !== 'string') entries.push(entry);
    else rejected.push({ slice, entry: index + 1, reason: entry, text: excerpt(value) });
  }
  const surplus = list.length - SWEEP_LIMITS.scoutEntries;
  if (surplus > 0) {
    const reason = `${surplus} entries beyond the ${SWEEP_LIMITS.scoutEntries} that are read`;
    rejected.push({ slice, entry: SWEEP_LIMITS.scoutEntries + 1, reason, text: '' });
  }
  return {
    slice,
    entries,
    rejected,
    thin: THIN_CAUSES.find((cause) => cause === thin),
    lesson: typeof lesson === 'string' ? shown(lesson, SWEEP_LIMITS.rejectedCharacters) : undefined,
  };
}

/** The entry, or the reason why it is invalid. */
function entryOf(slice: string, value: unknown, { required, optional }: SweepSchema): ScoutEntry | string {
  if (!isJsonObject(value)) return 'it is not an entry with fields';
  const absent = required.find((name) => !Object.hasOwn(value, name));
  if (absent !== undefined) return `${absent} is missing`;
  const fields: Record<string, string> = {};
  for (const [name, raw] of Object.entries(value)) {
    if (!required.includes(name) && !optional.includes(name)) return `${shown(name, 40)} is not a field of the schema`;
    const text = textOf(raw);
    if (text === undefined) return `${name} is not text`;
    if (text.length > SWEEP_LIMITS.valueCharacters) {
      return `${name} has more than ${SWEEP_LIMITS.valueCharacters} characters`;
    }
    if (text === '') return `${name} is empty`;
    fields[name] = text;
  }
  const { id = '', title = '', source = '' } = fields;
  if (!ID.test(id) || id.length > SWEEP_LIMITS.idCharacters) return `its id is not valid: ${shown(id, 40)}`;
  return { slice, id, title, source, fields };
}

/** Unquoted YAML numbers, booleans and dates are converted to text. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? inert(redact(value), true).trim() : undefined;
}

function excerpt(value: unknown): string {
  return shown(JSON.stringify(value), SWEEP_LIMITS.rejectedCharacters);
}

function shown(text: string, most: number): string {
  return cut(inert(redact(text)), most);
}
