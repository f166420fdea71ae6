import { isJsonObject, type JsonObject } from '#kernel/json.js';
import type { BrokenRecord, ImportedTask, ImportFile, LeftOut, ParsedImport } from './imported-task.js';
import { fieldText, fieldTexts, restOf, statusForWord, timeIn, titleOf } from './reading.js';

const TAKEN = [
  ...['id', 'title', 'status', 'labels', 'dependencies', 'priority', 'type', 'created_date', 'created'],
  ...['parent_task_id', 'parent', 'ordinal'],
];
/** Marks that Backlog.md writes around its sections. */
const MARK = /^[ \t]*<!-- (?:SECTION|AC|DOD|COMMENTS?)(?::[A-Z0-9_-]+)*:(?:BEGIN|END) -->[ \t]*\n?/gm;

/** Whether the front matter of a file is that of a task. */
export function isBacklogTask({ front }: ImportFile): boolean {
  if (front === undefined || 'fault' in front || !isJsonObject(front.value)) return false;
  const { id, title, status } = front.value;
  return fieldText(id) !== '' && fieldText(title) !== '' && fieldText(status) !== '';
}

/** Reads the tasks of Backlog.md: one Markdown file each, with front matter. */
export function parseBacklog(files: readonly ImportFile[]): ParsedImport {
  const read: Version[] = [];
  const broken: BrokenRecord[] = [];
  const left: LeftOut[] = [];
  for (const { path, front } of files) {
    if (front === undefined || 'fault' in front) {
      broken.push({ place: path, why: front === undefined ? 'no front matter' : front.fault });
      continue;
    }
    const record = isJsonObject(front.value) ? front.value : {};
    const key = keyOf(record['id']);
    const title = titleOf(record['title']);
    if (key === '' || title === '') broken.push({ place: path, why: key === '' ? 'no "id"' : 'no "title"' });
    else if (/(?:^|\/)archive\//.test(path)) left.push({ key, title, why: 'archived there' });
    else read.push({ path, changed: fieldText(record['updated_date']), task: taskOf(record, front.body, key, title) });
  }
  return { tasks: distinct(read, left), broken, left };
}

interface Version {
  readonly path: string;
  readonly changed: string;
  readonly task: ImportedTask;
}

/**
 * The tasks with one id each. Branches that were merged can give one id to two tasks, which are then told apart by
 * their titles; of two files of one task, the one changed last counts.
 */
function distinct(read: readonly Version[], left: LeftOut[]): ImportedTask[] {
  const byKey = new Map<string, Map<string, Version>>();
  for (const version of read) {
    const { key, title } = version.task;
    const titles = byKey.get(key) ?? new Map<string, Version>();
    byKey.set(key, titles);
    const other = titles.get(title);
    const [newer, older] = other === undefined || isNewer(version, other) ? [version, other] : [other, version];
    titles.set(title, newer);
    if (older !== undefined) left.push({ key: older.path, title, why: `an older version of ${key}` });
  }
  return [...byKey].flatMap(([key, titles]) =>
    [...titles.values()].map(({ task }) => (titles.size === 1 ? task : { ...task, key: `${key} ${task.title}` })),
  );
}

function isNewer(one: Version, other: Version): boolean {
  return one.changed === other.changed ? one.path < other.path : one.changed > other.changed;
}

/** Ids of Backlog.md do not depend on case. */
function keyOf(id: unknown): string {
  return fieldText(id).trim().toLowerCase();
}

function taskOf(record: JsonObject, body: string, key: string, title: string): ImportedTask {
  const state = fieldText(record['status']) || 'To Do';
  const prefix = /^\D*/.exec(key)?.[0] ?? '';
  const reference = (id: string) => (/^\d/.test(id) ? `${prefix}${id}` : id.toLowerCase());
  const [parent] = fieldTexts(record['parent_task_id'] ?? record['parent']).map(reference);
  const dotted = /^(.*\d)\.\d+$/.exec(key)?.[1];
  return {
    key,
    wish: fieldText(record['id']).trim(),
    title,
    status: statusForWord(state),
    state,
    text: fieldText(body).replace(MARK, '').trim(),
    after: fieldTexts(record['dependencies']).map(reference),
    parent: parent ?? dotted,
    labels: [
      ...fieldTexts(record['labels']).map((label) => `label:${label}`),
      ...fieldTexts(record['type']).map((type) => `type:${type}`),
      ...fieldTexts(record['priority']).map((priority) => `priority:${priority}`),
    ],
    created: timeIn(record['created_date'] ?? record['created']),
    ended: timeIn(record['updated_date']),
    rest: restOf(record, TAKEN),
  };
}
