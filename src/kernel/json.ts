import { WORK_LIMITS } from './limits/work.js';

/** JSON from files, sockets and browsers, before validation. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Whether a value is a plain object. Arrays and null are not. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Parses one JSON object; undefined if that fails. Text with a `__proto__` key is rejected, because it would change
 * later reads of the object.
 */
export function parseJsonObject(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  return text.includes('"__proto__"') && Object.hasOwn(value, '__proto__') ? undefined : value;
}

/** Structural equality of JSON values, ignoring the order of keys. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => sameJson(item, right[index]));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameJson(left[key], right[key]))
  );
}

/**
 * Serialises JSON on one line without characters that affect a screen or YAML: control characters, line separators,
 * bidi and zero-width characters are escaped, which does not change the value.
 */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\udb40[\udc00-\udc7f]/g,
    (match) =>
      [...Array(match.length).keys()].map((at) => `\\u${match.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}

/**
 * Parses one line of JSON from another program, or returns the reason for rejecting it: content that could not be
 * written back unchanged (duplicate keys, numbers out of range) and attacks (`__proto__`, excessive nesting).
 */
export function parseForeignObject(text: string): JsonObject | string {
  if (text.length > WORK_LIMITS.lineBytes) return `longer than a line may be (${WORK_LIMITS.lineBytes} bytes)`;
  if (isDeep(text)) return `nested more than ${WORK_LIMITS.jsonDepth} deep`;
  const value = parseJsonObject(text);
  if (!value) return 'not a JSON object';
  if (holdsUnfitNumber(text, value)) return 'a number too large to keep';
  if (JSON.stringify(value) !== text && hasDoubleKey(text)) return 'a key appears twice';
  return value;
}

/** Whether a value has a number that does not survive as JSON; `text` is the value as JSON. */
export function holdsUnfitNumber(text: string, value: unknown): boolean {
  return /\d{16}|\d[eE]\+?\d\d/.test(text) && hasUnfitNumber(value);
}

/** Whether JSON text is nested beyond the limit. Brackets in strings do not count. */
export function isDeep(text: string): boolean {
  if (!hasMore(text, '[{', WORK_LIMITS.jsonDepth)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') {
      TEXT.lastIndex = at;
      at = TEXT.test(text) ? TEXT.lastIndex - 1 : text.length;
    } else if (sign === '[' || sign === '{') depth++;
    else if (sign === ']' || sign === '}') depth--;
    if (depth > WORK_LIMITS.jsonDepth) return true;
  }
  return false;
}

/** Whether a text contains more than `most` of these characters. */
function hasMore(text: string, signs: string, most: number): boolean {
  let count = 0;
  for (const sign of signs) for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) count++;
  return count > most;
}

const TEXT = /"[^"\\]*(?:\\.[^"\\]*)*"/y;

/** Strings as single tokens, so that characters in them do not count. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]/g;

function hasUnfitNumber(value: unknown): boolean {
  if (typeof value === 'number')
    return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
  if (Array.isArray(value)) return value.some(hasUnfitNumber);
  return isJsonObject(value) && Object.values(value).some(hasUnfitNumber);
}

/**
 * Whether an object has a duplicate key. The text must be valid JSON: a string before a colon is a key of the innermost
 * open object.
 */
function hasDoubleKey(text: string): boolean {
  const open: Set<string>[] = [];
  let before: string | undefined;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':' && before !== undefined) {
      const key = JSON.parse(before) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) return true;
      keys?.add(key);
    }
    before = token.startsWith('"') ? token : undefined;
  }
  return false;
}
