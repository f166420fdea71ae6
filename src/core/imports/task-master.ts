import { isJsonObject, type JsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { BrokenRecord, ImportedTask, ImportFile, LeftOut, ParsedImport } from './imported-task.js';
import { parsedJson } from './json-file.js';
import { fieldText, fieldTexts, objectsIn, restOf, sections, statusForWord, timeIn, titleOf } from './reading.js';

const TAKEN = [
  ...['id', 'title', 'status', 'description', 'details', 'testStrategy', 'dependencies', 'subtasks', 'priority'],
  ...['createdAt', 'completedAt', 'parentId', 'parentTaskId'],
];
const MASTER = 'master';

/** Lists of tasks of a file by tag. A file of an early version has one list without a tag. */
function taskLists(value: JsonObject): readonly (readonly [tag: string, list: readonly unknown[]])[] {
  if (Array.isArray(value['tasks'])) return [[MASTER, value['tasks']]];
  const isOfLists = Object.values(value).every((group) => Array.isArray(group) && group.every(isTask));
  return Object.entries(value).flatMap(([tag, group]) => {
    const list = isJsonObject(group) ? group['tasks'] : isOfLists ? group : undefined;
    return Array.isArray(list) ? [[tag, list] as const] : [];
  });
}

function isTask(item: unknown): boolean {
  return isJsonObject(item) && 'id' in item && 'title' in item && ('status' in item || 'dependencies' in item);
}

/** Whether a value is a file of Task Master: other programs have files of this name, without ids of tasks. */
export function isTaskMaster(value: unknown): boolean {
  const lists = isJsonObject(value) ? taskLists(value) : [];
  return lists.some(([, list]) => list.some(isTask));
}

/** Reads the tasks and subtasks of Task Master's `tasks.json`. */
export function parseTaskMaster(file: ImportFile): ParsedImport {
  const tasks: ImportedTask[] = [];
  const broken: BrokenRecord[] = [];
  const left: LeftOut[] = [];
  const value = parsedJson(file, broken);
  const lists = isJsonObject(value) ? taskLists(value) : [];
  if (lists.length === 0 && broken.length === 0) broken.push({ place: 'the file', why: 'no list of tasks' });
  for (const [tag, list] of lists) {
    const place = { tag, broken, tasks, path: [] };
    for (const [at, record] of objectsIn(list, `${tag}.tasks`, broken)) addTask(record, at, place);
  }
  return { tasks, broken, left };
}

interface Place {
  readonly tag: string;
  /** Ids from the task down to the parent. */
  readonly path: readonly string[];
  readonly tasks: ImportedTask[];
  readonly broken: BrokenRecord[];
}

function addTask(record: JsonObject, at: string, place: Place): void {
  const id = ownId(fieldText(record['id']).trim(), place.path);
  const title = titleOf(record['title']);
  if (id === '' || title === '') {
    place.broken.push({ place: at, why: id === '' ? 'no "id"' : 'no "title"' });
    return;
  }
  const path = [...place.path, id];
  place.tasks.push(taskOf(record, title, path, place));
  const subtasks = record['subtasks'];
  if (!Array.isArray(subtasks) || subtasks.length === 0) return;
  if (path.length > WORK_LIMITS.taskDepth) {
    place.broken.push({ place: `${at}.subtasks`, why: `nested more than ${WORK_LIMITS.taskDepth} deep` });
    return;
  }
  const below = { ...place, path };
  for (const [where, subtask] of objectsIn(subtasks, `${at}.subtasks`, place.broken)) addTask(subtask, where, below);
}

/** Some files have the whole path in the id of a subtask: `3.1` within `3`. */
function ownId(id: string, path: readonly string[]): string {
  const before = `${path.join('.')}.`;
  return path.length > 0 && id.startsWith(before) ? id.slice(before.length) : id;
}

function taskOf(record: JsonObject, title: string, path: readonly string[], { tag }: Place): ImportedTask {
  const state = fieldText(record['status']) || 'pending';
  const number = path.join('.');
  const parent = path.slice(0, -1);
  return {
    key: `${tag}:${number}`,
    wish: `${tag === MASTER ? 'tm' : tag}-${number}`,
    title,
    status: statusForWord(state),
    state,
    text: sections([
      ['', fieldText(record['description'])],
      ['Details', fieldText(record['details'])],
      ['Test strategy', fieldText(record['testStrategy'])],
    ]),
    after: fieldTexts(record['dependencies']).map((id) => `${tag}:${target(id, parent)}`),
    ...(parent.length > 0 ? { parent: `${tag}:${parent.join('.')}` } : {}),
    labels: [
      ...fieldTexts(record['priority']).map((priority) => `priority:${priority}`),
      ...(tag === MASTER ? [] : [`label:${tag}`]),
    ],
    created: timeIn(record['createdAt']),
    ended: timeIn(record['completedAt']),
    rest: restOf(record, TAKEN),
  };
}

/** In the list of a subtask, `2` is its sibling and `2.1` a subtask of task 2. */
function target(id: string, parent: readonly string[]): string {
  return parent.length === 0 || id.includes('.') ? id : [...parent, id].join('.');
}
