// Fast parser for records of the agency in the exact form this program writes, without a YAML library.
import { isDeep, type JsonObject, parseJsonObject, safeJson } from '#kernel/json.js';
import { SKILL_KINDS } from './entities.js';
import { scalar } from './entity-text.js';
import { performanceIn } from './performance-text.js';

/** Identity fields are written as YAML, by our own rules; all others as JSON. */
const TEXTS: ReadonlySet<string> = new Set(['description', 'desired_outcome']);
const LISTS: ReadonlySet<string> = new Set(['acceptable_tradeoffs', 'unacceptable_tradeoffs', 'skills']);

/**
 * Parses a text of `fileText` or `evaluationText`; undefined if it differs in a single byte from their output. Such
 * texts are left to the strict YAML parser, which takes a hundred times as long.
 */
export function ownRecord(text: string): JsonObject | undefined {
  if (!text.endsWith('\n')) return undefined;
  const lines = new Lines(text);
  const record: JsonObject = {};
  const fields: (readonly [key: string, json: string])[] = [];
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    const colon = line.indexOf(':');
    const key = line.slice(0, colon);
    const rest = line.slice(colon + 2);
    if (!KEY.test(key) || line !== (rest === '' ? `${key}:` : `${key}: ${rest}`)) return undefined;
    const performance = key === 'performance' ? performanceIn(rest) : undefined;
    if (!performance && !LISTS.has(key) && !TEXTS.has(key)) {
      fields.push([key, rest]);
      continue;
    }
    const value = performance ?? (LISTS.has(key) ? listIn(key, rest, lines) : textIn(rest, lines));
    if (value === undefined || Object.hasOwn(record, key)) return undefined;
    record[key] = value;
  }
  const values = jsonIn(fields);
  return values && Object.keys(values).every((key) => !Object.hasOwn(record, key))
    ? { ...values, ...record }
    : undefined;
}

const KEY = /^[A-Za-z_]\w*$/;

/**
 * Parses and serialises all fields at once, which takes half the time: the result must equal the input byte for byte.
 */
function jsonIn(fields: readonly (readonly [key: string, json: string])[]): JsonObject | undefined {
  const text = `{${fields.map(([key, json]) => `"${key}":${json}`).join()}}`;
  const values = isDeep(text) ? undefined : parseJsonObject(text);
  return values && safeJson(values) === text ? values : undefined;
}

/** Line that marks an evaluation of work in another project. */
const FOREIGN = 'foreign: true\n';

/** Whether two files of one evaluation are equal, except for the mark of foreign work. */
export function sameEvaluation(left: string, right: string): boolean {
  return left === right || withoutOrigin(left) === withoutOrigin(right);
}

function withoutOrigin(text: string): string {
  return text.endsWith(`\n${FOREIGN}`) ? text.slice(0, -FOREIGN.length) : text;
}

class Lines {
  private readonly lines: readonly string[];
  private at = 0;

  constructor(text: string) {
    this.lines = text.slice(0, -1).split('\n');
  }

  next(): string | undefined {
    return this.lines[this.at++];
  }

  /** Consumes the next line if it matches. */
  nextLike(form: RegExp): string | undefined {
    const line = this.lines[this.at];
    if (line === undefined || !form.test(line)) return undefined;
    this.at++;
    return line;
  }
}

function listIn(key: string, rest: string, lines: Lines): JsonObject[] | string[] | undefined {
  if (rest === '[]') return [];
  if (rest !== '') return undefined;
  const items: (string | JsonObject)[] = [];
  for (let line = lines.nextLike(/^- /); line !== undefined; line = lines.nextLike(/^- /)) {
    const [, kind, words] = (key === 'skills' ? /^- !([a-z]+) (.*)$/ : /^- ()(.*)$/).exec(line) ?? [];
    const item = words === undefined ? undefined : textIn(words, lines);
    if (item === undefined) return undefined;
    if (key !== 'skills') items.push(item);
    else if (SKILL_KINDS.some((one) => one === kind)) items.push({ [kind as (typeof SKILL_KINDS)[number]]: item });
    else return undefined;
  }
  return items.length === 0 ? undefined : (items as string[]);
}

/** Parses a text written by `scalar`, with the lines of a literal. */
function textIn(first: string, lines: Lines): string | undefined {
  let raw = first;
  if (first.startsWith('|')) {
    for (let line = lines.nextLike(/^(?: {2}|$)/); line !== undefined; line = lines.nextLike(/^(?: {2}|$)/))
      raw += `\n${line}`;
  }
  const text = parseScalar(raw);
  // Serialised again it must be identical, which proves that it was parsed correctly.
  return text !== undefined && scalar(text) === raw ? text : undefined;
}

function parseScalar(raw: string): string | undefined {
  if (raw.startsWith("'")) return raw.slice(1, -1).replaceAll("''", "'");
  if (raw.startsWith('|')) {
    const [header = '', ...body] = raw.split('\n');
    const text = body.map((line) => line.slice(2)).join('\n');
    return header.endsWith('-') ? text : `${text}\n`;
  }
  return raw.startsWith('"') ? undefined : raw; // escapes are rare
}
