import type { Task } from '#core/graph/task.js';
import { taskField } from '#core/graph/task-field.js';
import { sha256 } from '#kernel/hash.js';
import { isJsonObject } from '#kernel/json.js';
import { type ImportedTask, TRACKERS, type Tracker } from './imported-task.js';

/** The record that a task was imported from, as it was then. */
export interface ImportOrigin {
  readonly tracker: Tracker;
  /** Distinguishes several trackers of one kind; empty for the only one. */
  readonly source: string;
  readonly key: string;
  readonly state: string;
  /** Hashes of what can differ at a later import. */
  readonly title: string;
  readonly text: string;
  readonly after: string;
}

export const IMPORTED = taskField('imported', (value): ImportOrigin | undefined => {
  if (!isJsonObject(value)) return undefined;
  const { tracker: name, source = '', key, state, title, text, after } = value;
  const tracker = TRACKERS.find((one) => one === name);
  if (tracker === undefined || typeof source !== 'string' || typeof key !== 'string') return undefined;
  if (typeof state !== 'string' || typeof title !== 'string') return undefined;
  if (typeof text !== 'string' || typeof after !== 'string') return undefined;
  return { tracker, source, key, state, title, text, after };
});

const HASH_CHARACTERS = 12;
const hash = (value: unknown) => sha256(JSON.stringify(value)).slice(0, HASH_CHARACTERS);

export function originOf(task: ImportedTask, tracker: Tracker, source: string): ImportOrigin {
  const { key, state, title, text, after, parent = '', labels, rest, log = [], fields = {} } = task;
  return {
    tracker,
    source,
    key,
    state,
    title: hash(title),
    text: hash([text, [...labels].sort(), rest, log, fields]),
    after: hash([[...after].sort(), parent]),
  };
}

/** Differences from the record at the time of the import, in words. */
export function recordDifferences(was: ImportOrigin, now: ImportOrigin): string[] {
  return [
    ...(was.state === now.state ? [] : [`state ${was.state} → ${now.state}`]),
    ...(was.title === now.title ? [] : ['title']),
    ...(was.text === now.text ? [] : ['text']),
    ...(was.after === now.after ? [] : ['dependencies']),
  ];
}

/** Tasks that were imported from one tracker, by their keys there. */
export function importedFrom(tasks: Iterable<Task>, tracker: Tracker, source: string) {
  const byKey = new Map<string, { readonly id: string; readonly origin: ImportOrigin }>();
  for (const task of tasks) {
    const origin = IMPORTED.of(task);
    if (origin?.tracker === tracker && origin.source === source) byKey.set(origin.key, { id: task.id, origin });
  }
  return byKey;
}
