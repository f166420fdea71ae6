import { fieldProblem, nodeProblem } from '#core/graph/node-problem.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';

/** The form of log lines that this version writes; a later one says its own. */
export const LOG_FORMAT = 1;

/** What makes this object no entry of the log; undefined when it is one. */
export function entryProblem(value: JsonObject): string | undefined {
  if (!Number.isSafeInteger(value['seq']) || Number(value['seq']) < 1) return 'an entry with an unusable "seq"';
  if (typeof value['op'] !== 'string') return 'an entry without "op"';
  if (typeof value['id'] !== 'string' || value['id'] === '') return 'an entry without "id"';
  if (typeof value['timestamp'] !== 'string') return 'an entry without "timestamp"';
  if (value['prev'] !== undefined && typeof value['prev'] !== 'string') return 'an entry with an unusable "prev"';
  if (value['tx'] !== undefined && !isPlaceInGroup(value['tx'])) return 'an entry with an unusable "tx"';
  if (value['detail'] !== undefined && !isJsonObject(value['detail'])) return 'an entry with an unusable "detail"';
  const patch = value['patch'];
  if (!Array.isArray(patch)) return 'an entry without "patch"';
  return patch.every((item) => isJsonObject(item) && isPatch(item)) ? undefined : 'an entry with an unusable "patch"';
}

function isPlaceInGroup(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [place, size] = value;
  return (
    Number.isSafeInteger(place) && Number.isSafeInteger(size) && Number(place) >= 1 && Number(place) <= Number(size)
  );
}

function isPatch(item: JsonObject): boolean {
  if (typeof item['id'] !== 'string') return false;
  const { put, set, unset, log } = item;
  if (put !== undefined && !(isJsonObject(put) && put['id'] === item['id'] && nodeProblem(put) === undefined))
    return false;
  if (set !== undefined && !(isJsonObject(set) && fieldProblem(set) === undefined)) return false;
  if (unset !== undefined && !(Array.isArray(unset) && unset.every((field) => typeof field === 'string'))) return false;
  return log === undefined || (Array.isArray(log) && log.every(isJsonObject));
}

const KNOWN_PARTS = new Set(['id', 'put', 'set', 'unset', 'log', 'log_at', 'del', 'to', 'kept']);

/** Does this entry ask for something that only a later version understands? What it changed cannot be redone here. */
export function isFromLaterVersion(value: JsonObject): boolean {
  const format = value['format'];
  if (format !== undefined && format !== LOG_FORMAT) return true;
  const patch = value['patch'];
  return (
    Array.isArray(patch) &&
    patch.some((item) => isJsonObject(item) && Object.keys(item).some((part) => !KNOWN_PARTS.has(part)))
  );
}
