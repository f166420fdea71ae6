import { isStatus, type NodeFields } from '#core/graph/task.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';

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
  ...['supersedes', 'parent', 'created_by', 'team', 'member', 'timeout', 'in', 'merged'],
];
const NUMBERS = [
  ...['retry_count', 'max_retries', 'loop_iteration', 'cycle_failure_restarts', 'resurrection_count'],
  ...['rejection_count', 'max_rejections', 'fence', 'rev'],
];
const FLAGS = ['paused', 'unplaced', 'converge_on_done', 'plan_required', 'require_commit'];
const LISTS = [
  ...['before', 'after', 'after_success', 'requires', 'tags', 'skills', 'inputs', 'deliverables', 'artifacts'],
  ...['superseded_by', 'place_near', 'place_before'],
];
const OBJECTS = ['estimate', 'cycle_config', 'token_usage', 'wait_condition', 'environment', 'reserve', 'cycle_ended'];
const KNOWN = [...TEXTS, ...NUMBERS, ...FLAGS, ...LISTS, ...OBJECTS, 'log'];

/** What makes this object no node of the graph; undefined when it is one. */
export function nodeProblem(value: NodeFields): string | undefined {
  if (typeof value['kind'] !== 'string') return 'no "kind"';
  if (typeof value['id'] !== 'string' || value['id'] === '') return 'no "id"';
  if (value['kind'] !== 'task') return undefined;
  if (typeof value['title'] !== 'string') return 'a task without "title"';
  if (!isStatus(value['status'])) return 'an unknown "status"';
  return fieldProblem(value);
}

/** What is wrong with these fields of a task, or some of them; undefined when nothing is. */
export function fieldProblem(value: NodeFields): string | undefined {
  if (value['status'] !== undefined && !isStatus(value['status'])) return 'an unknown "status"';
  return (
    wrongType(value, TEXTS, 'text', (item) => typeof item === 'string') ??
    wrongType(value, NUMBERS, 'number', (item) => typeof item === 'number') ??
    wrongType(value, FLAGS, 'true or false', (item) => typeof item === 'boolean') ??
    wrongType(value, OBJECTS, 'object', isJsonObject) ??
    listProblem(value)
  );
}

function wrongType(
  value: NodeFields,
  fields: readonly string[],
  what: string,
  fits: (item: unknown) => boolean,
): string | undefined {
  const wrong = fields.find((field) => value[field] !== undefined && !fits(value[field]));
  return wrong === undefined ? undefined : `"${wrong}" is no ${what}`;
}

function listProblem(value: NodeFields): string | undefined {
  for (const field of [...LISTS, 'log']) {
    const list = value[field];
    if (list === undefined) continue;
    if (!Array.isArray(list)) return `"${field}" is no list`;
    if (field !== 'log' && !list.every((item) => typeof item === 'string'))
      return `"${field}" holds something else than text`;
  }
  const log = value['log'];
  const sound = !Array.isArray(log) || log.every((item) => isJsonObject(item) && isMessage(item));
  return sound ? undefined : '"log" holds something else than messages with their times';
}

function isMessage({ timestamp, message, actor }: JsonObject): boolean {
  return typeof timestamp === 'string' && typeof message === 'string' && (actor ?? '') === String(actor ?? '');
}

/** A known field without a value is one that is not there: other tools write `null` for it. */
export function withoutNulls(task: JsonObject): JsonObject {
  if (!KNOWN.some((field) => task[field] === null)) return task;
  return Object.fromEntries(Object.entries(task).filter(([field, value]) => value !== null || !KNOWN.includes(field)));
}
