// Records of the agency in the very words this program writes them in, read back without a YAML library.
import { isDeep, type JsonObject, parseJsonObject, safeJson } from '#kernel/json.js';
import { SKILL_KINDS } from './entities.js';
import { scalar } from './entity-text.js';
import { performanceIn } from './performance-text.js';

/** What ids are made of is written as YAML, by our own rules; everything else as JSON. */
const TEXTS: ReadonlySet<string> = new Set(['description', 'desired_outcome']);
const LISTS: ReadonlySet<string> = new Set(['acceptable_tradeoffs', 'unacceptable_tradeoffs', 'skills']);

/**
 * The record that a text of `fileText` or `evaluationText` is of; undefined for whatever differs in a single byte from how
 * they write it. That is for the strict reader of YAML, which takes a hundred times as long.
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

/** Parsed and written at once, as that takes half the time: what is written has to be what stands there, to the byte. */
function jsonIn(fields: readonly (readonly [key: string, json: string])[]): JsonObject | undefined {
  const text = `{${fields.map(([key, json]) => `"${key}":${json}`).join()}}`;
  const values = isDeep(text) ? undefined : parseJsonObject(text);
  return values && safeJson(values) === text ? values : undefined;
}

/** How a file says that its evaluation is about work of another project. */
const FOREIGN = 'foreign: true\n';

/** Do two files of one evaluation say the same to the byte, but for whether the work was done elsewhere? */
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

  /** The next line, if it is of this form. */
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

/** A text as `scalar` writes it, the lines of a literal taken along. */
function textIn(first: string, lines: Lines): string | undefined {
  let raw = first;
  if (first.startsWith('|')) {
    for (let line = lines.nextLike(/^(?: {2}|$)/); line !== undefined; line = lines.nextLike(/^(?: {2}|$)/))
      raw += `\n${line}`;
  }
  const text = meantBy(raw);
  // Written again it has to be the same: then nothing was misunderstood.
  return text !== undefined && scalar(text) === raw ? text : undefined;
}

function meantBy(raw: string): string | undefined {
  if (raw.startsWith("'")) return raw.slice(1, -1).replaceAll("''", "'");
  if (raw.startsWith('|')) {
    const [header = '', ...body] = raw.split('\n');
    const text = body.map((line) => line.slice(2)).join('\n');
    return header.endsWith('-') ? text : `${text}\n`;
  }
  return raw.startsWith('"') ? undefined : raw; // escapes are rare
}
