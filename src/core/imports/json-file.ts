import { isDeep, isJsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { BrokenRecord, ImportFile } from './imported-task.js';

/**
 * The JSON value of a whole file; undefined with a broken record if it cannot be parsed. Several lists one after
 * another, as paged answers are saved, count as one.
 */
export function parsedJson({ path, text }: ImportFile, broken: BrokenRecord[]): unknown {
  const plain = text.replace(/^\ufeff/, '').trim();
  if (isDeep(plain)) {
    broken.push({ place: path, why: `nested more than ${WORK_LIMITS.jsonDepth} deep` });
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(plain);
    if (!hasProto(plain, value)) return value;
    broken.push({ place: path, why: 'a key __proto__' });
  } catch (error) {
    const joined = joinedLists(plain);
    if (joined !== undefined) return joined;
    broken.push({ place: path, why: `not JSON: ${(error as Error).message}` });
  }
  return undefined;
}

/** Lists of a text `[…][…]` as one list; undefined if it is not of that form. */
function joinedLists(text: string): unknown[] | undefined {
  const parts = topLevelLists(text);
  if (parts.length < 2) return undefined;
  try {
    const lists: unknown[] = parts.map((part) => JSON.parse(part));
    return hasProto(text, lists) ? undefined : lists.flat();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const STRING_OR_BRACKET = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/g;

function topLevelLists(text: string): string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (const { 0: token, index } of text.matchAll(STRING_OR_BRACKET)) {
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth--;
    else continue;
    if (depth !== 0) continue;
    parts.push(text.slice(start, index + 1));
    start = index + 1;
  }
  return text.slice(start).trim() === '' ? parts : [];
}

function hasProto(text: string, value: unknown): boolean {
  return text.includes('"__proto__"') && holdsProto(value);
}

function holdsProto(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsProto);
  return isJsonObject(value) && (Object.hasOwn(value, '__proto__') || Object.values(value).some(holdsProto));
}
