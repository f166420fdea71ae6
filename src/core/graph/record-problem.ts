// Validation of foreign objects as nodes of the graph or entries of its log.
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import { isStatus, type NodeFields } from './task.js';

const TEXTS = [
  ...['title', 'description', 'assigned', 'exec', 'delay', 'not_before', 'created_at', 'started_at', 'completed_at'],
  ...[
    'failure_reason',
    'model',
    'provider',
    'endpoint',
    'verify',
    'verify_cmd',
    'agent',
    'last_iteration_completed_at',
  ],
  ...['ready_after', 'visibility', 'context_scope', 'exec_mode', 'session_id', 'checkpoint', 'last_resurrected_at'],
  ...['supersedes', 'parent', 'epic', 'created_by', 'team', 'member', 'conversation', 'plan_of', 'timeout'],
  ...['in', 'merged'],
];
const NUMBERS = [
  ...['retry_count', 'max_retries', 'loop_iteration', 'cycle_failure_restarts', 'resurrection_count'],
  ...['rejection_count', 'max_rejections', 'fence', 'rev'],
];
const FLAGS = ['paused', 'unplaced', 'converge_on_done', 'plan_required', 'require_commit', 'hands_in'];
const LISTS = [
  ...['before', 'after', 'after_success', 'requires', 'tags', 'skills', 'inputs', 'deliverables', 'artifacts'],
  ...['superseded_by', 'place_near', 'place_before', 'needs'],
];
const OBJECTS = [
  'estimate',
  'cycle_config',
  'token_usage',
  'wait_condition',
  'environment',
  'reserve',
  'cycle_ended',
  'formation_gate',
];
type Check = (item: unknown) => string | undefined;

const isA =
  (what: string, fits: (item: unknown) => boolean): Check =>
  (item) =>
    fits(item) ? undefined : `is not ${what}`;

const listOf =
  (what: string, fits: (item: unknown) => boolean): Check =>
  (item) =>
    !Array.isArray(item) ? 'is not a list' : item.every(fits) ? undefined : `contains something other than ${what}`;

const isText = (item: unknown) => typeof item === 'string';

/** Validators of known fields, which return the problem. */
const CHECKS: ReadonlyMap<string, Check> = new Map([
  ...checked(TEXTS, isA('text', isText)),
  ...checked(
    NUMBERS,
    isA('a number', (item) => typeof item === 'number'),
  ),
  ...checked(
    FLAGS,
    isA('true or false', (item) => typeof item === 'boolean'),
  ),
  ...checked(OBJECTS, isA('an object', isJsonObject)),
  ...checked(LISTS, listOf('text', isText)),
  ...checked(
    ['log'],
    listOf('messages with times', (item) => isJsonObject(item) && isMessage(item)),
  ),
]);

function checked(fields: readonly string[], check: Check): [string, Check][] {
  return fields.map((field) => [field, check]);
}

/** Reason why an object is not a valid node; undefined if it is. */
export function nodeProblem(value: NodeFields): string | undefined {
  if (typeof value['kind'] !== 'string') return 'no "kind"';
  if (typeof value['id'] !== 'string' || value['id'] === '') return 'no "id"';
  if (value['kind'] !== 'task') return undefined;
  if (typeof value['title'] !== 'string') return 'a task without "title"';
  if (!isStatus(value['status'])) return 'an unknown "status"';
  return fieldProblem(value);
}

/** Problem with these task fields, which may be a subset; undefined if there is none. */
function fieldProblem(value: NodeFields): string | undefined {
  if (value['status'] !== undefined && !isStatus(value['status'])) return 'an unknown "status"';
  for (const [field, item] of Object.entries(value)) {
    const problem = item === undefined ? undefined : CHECKS.get(field)?.(item);
    if (problem !== undefined) return `"${field}" ${problem}`;
  }
  return undefined;
}

function isMessage({ timestamp, message, actor }: JsonObject): boolean {
  return typeof timestamp === 'string' && typeof message === 'string' && (actor ?? '') === String(actor ?? '');
}

/** Removes known fields whose value is null: other tools write `null` for missing ones. */
export function withoutNulls(task: JsonObject): JsonObject {
  const isMissing = (field: string) => task[field] === null && CHECKS.has(field);
  if (!Object.keys(task).some(isMissing)) return task;
  return Object.fromEntries(Object.entries(task).filter(([field]) => !isMissing(field)));
}

/** Format version of the log lines written here; a later version writes its own number. */
const LOG_FORMAT = 1;

/** Reason why an object is not a valid log entry; undefined if it is. */
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

/** Whether an entry uses features of a later version; its changes cannot be redone here. */
export function isFromLaterVersion(value: JsonObject): boolean {
  const format = value['format'];
  if (format !== undefined && format !== LOG_FORMAT) return true;
  const patch = value['patch'];
  return (
    Array.isArray(patch) &&
    patch.some((item) => isJsonObject(item) && Object.keys(item).some((part) => !KNOWN_PARTS.has(part)))
  );
}
