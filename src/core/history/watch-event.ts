import type { Entry } from '#core/graph/event.js';
import { type NodeFields, STATUSES } from '#core/graph/task.js';
import type { JsonObject } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';

/** A log entry in the form for external watchers. */
export interface WatchEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly task_id?: string;
  readonly data: JsonObject;
  readonly seq: number;
}

const TYPE_OF: Readonly<Record<string, string>> = {
  add_task: 'task.created',
  claim: 'task.started',
  done: 'task.completed',
  approve: 'task.completed',
  fail: 'task.failed',
  retry: 'task.retried',
  evaluate: 'evaluation.recorded',
  evaluate_record: 'evaluation.recorded',
  evaluate_auto: 'evaluation.recorded',
  spawn_agent: 'agent.spawned',
  agent_complete: 'agent.completed',
  cycle_iterate: 'cycle.iterate',
  cycle_restart: 'cycle.restart',
  cycle_end: 'cycle.end',
};
/** Moves whose event type is the resulting status. */
const BY_STATUS: ReadonlySet<string> = new Set([
  ...['submit', 'wait', 'reject', 'unclaim', 'abandon', 'block', 'reopen'],
]);
const OTHERWISE = ['task.changed', 'graph.changed'] as const;

export const WATCH_TYPES: readonly string[] = [
  ...new Set([...Object.values(TYPE_OF), ...STATUSES.map((status) => `task.${status}`), ...OTHERWISE]),
].sort();

/** Names for groups of types. */
export const WATCH_GROUPS = {
  all: '',
  task_state: 'task.',
  evaluation: 'evaluation.',
  agent: 'agent.',
} as const satisfies Record<string, string>;

/** The one task an entry concerns; undefined if there are several or none. */
export function taskOfEntry(entry: Entry): string | undefined {
  if (entry.task_id !== undefined) return entry.task_id;
  const [only, ...others] = entry.patch;
  if (only === undefined || others.length > 0) return undefined;
  return 'put' in only && only.put['kind'] !== 'task' ? undefined : only.id;
}

export function watchType(entry: Entry): string {
  const type = Object.hasOwn(TYPE_OF, entry.op) ? TYPE_OF[entry.op] : undefined;
  if (type !== undefined) return type;
  const status = BY_STATUS.has(entry.op) ? changesOf(entry)['status'] : undefined;
  if (typeof status === 'string') return `task.${status}`;
  return taskOfEntry(entry) === undefined ? 'graph.changed' : 'task.changed';
}

/** Converts an entry: the operation's details, and its changes. */
export function watchEvent(entry: Entry): WatchEvent {
  const task = taskOfEntry(entry);
  const { request: _answered, ...detail } = entry.detail ?? {};
  return {
    type: watchType(entry),
    timestamp: entry.timestamp,
    ...(task === undefined ? {} : { task_id: task }),
    data: {
      op: entry.op,
      ...(entry.actor === undefined ? {} : { actor: entry.actor }),
      ...changesOf(entry),
      ...detail,
    },
    seq: entry.seq,
  };
}

/** Summary of an entry's changes: new status, names of changed fields, logged message. */
function changesOf(entry: Entry): NodeFields {
  const task = taskOfEntry(entry);
  if (task === undefined) {
    const ids = [...new Set(entry.patch.map((patch) => patch.id))];
    return ids.length === 0 ? {} : { tasks: ids.slice(0, TEAM_LIMITS.watchIds), task_count: ids.length };
  }
  const patch = entry.patch.find((candidate) => candidate.id === task);
  if (patch === undefined) return {};
  if ('del' in patch) return { removed: true };
  if ('put' in patch) {
    const { title, status, after } = patch.put;
    return {
      ...(title === undefined ? {} : { title }),
      ...(status === undefined ? {} : { status }),
      ...(after === undefined ? {} : { after }),
    };
  }
  const { status, ...set } = patch.set ?? {};
  const fields = [...Object.keys(set), ...(patch.unset ?? [])].sort();
  const message = patch.log?.at(-1)?.message;
  return {
    ...(status === undefined ? {} : { status }),
    ...(fields.length === 0 ? {} : { fields }),
    ...(message === undefined ? {} : { message }),
  };
}

export interface WatchFilter {
  /** Prefixes of types; empty matches all. */
  readonly types: readonly string[];
  /** Prefix of the id of a touched task. */
  readonly task?: string | undefined;
}

/** Returns the type prefix for a type or group name; undefined for an unknown one. */
export function watchTypePrefix(word: string): string | undefined {
  if (Object.hasOwn(WATCH_GROUPS, word)) return WATCH_GROUPS[word as keyof typeof WATCH_GROUPS];
  return WATCH_TYPES.includes(word) ? word : undefined;
}

export function matchesFilter(entry: Entry, filter: WatchFilter): boolean {
  const { types, task } = filter;
  if (types.length > 0) {
    const type = watchType(entry);
    if (!types.some((prefix) => (prefix === '' || prefix.endsWith('.') ? type.startsWith(prefix) : type === prefix))) {
      return false;
    }
  }
  if (task === undefined) return true;
  return entry.task_id?.startsWith(task) === true || entry.patch.some((patch) => patch.id.startsWith(task));
}
