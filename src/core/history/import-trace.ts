import { isStatus } from '#core/graph/task.js';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { type FieldList, numberReader, numbers, pick, type Sieve, textReader, time } from './export-fields.js';
import { TRACE_VERSION } from './export-trace.js';
import { taskInZone } from './zone.js';

/** A foreign trace, renamed to avoid collisions with ids of this project. */
export interface ImportedTrace {
  readonly source: string;
  readonly tasks: readonly JsonObject[];
  readonly evaluations: readonly JsonObject[];
}

const LISTS = ['tasks', 'evaluations', 'operations', 'functions'] as const;
const EVALUATION: FieldList = {
  agent_id: textReader,
  role_id: textReader,
  tradeoff_id: textReader,
  score: numberReader,
  dimensions: numbers,
  notes: textReader,
  evaluator: textReader,
  model: textReader,
  timestamp: time,
};

/** Validates the tag of an import, which becomes a folder name and a part of ids. Errors: `bad_input`. */
export function checkedTag(tag: string): string {
  if (tag.length <= TEAM_LIMITS.traceTagCharacters && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(tag) && !tag.includes('..')) {
    return tag;
  }
  throw new TroupeError('bad_input', {
    what: `Not a tag: ${JSON.stringify(tag.slice(0, 60))}`,
    hint: `Use letters, digits, . _ and -, at most ${TEAM_LIMITS.traceTagCharacters}, starting with a letter or digit.`,
  });
}

/** Derives a tag from a file name. The content is not used, because it could name the tag of another import. */
export function tagOfFile(name: string): string {
  const plain = name.replace(/\.json$/i, '').replace(/[^A-Za-z0-9_-]+/g, '-');
  return plain.replace(/^[^A-Za-z0-9]+|-+$/g, '').slice(0, TEAM_LIMITS.traceTagCharacters) || 'import';
}

/** Prefix of the evaluation ids of one tag, unique to it: finds the evaluations of an earlier import. */
export function evaluationPrefix(tag: string): string {
  return `imported-${sha256(tag).slice(0, 12)}-`;
}

/**
 * Validates a whole export and renames its ids. Of each task and evaluation only the known fields are copied, never a
 * command. Errors: `bad_trace` with the first invalid place.
 */
export function importTrace(content: string, tag: string): ImportedTrace {
  const trace = parseTrace(content);
  const ids = new Set<string>();
  const tasks = listIn(trace, 'tasks');
  for (const [index, task] of tasks.entries()) {
    const id = taskProblem(task, `tasks[${index}]`);
    if (ids.has(id)) throw bad(`tasks[${index}].id`, `${JSON.stringify(id.slice(0, 60))} appears twice`);
    ids.add(id);
  }
  const name = (id: string) => `imported/${tag}/${id}`;
  const sieve: Sieve = { includes: (id) => ids.has(id), clean: (words) => words, mentions: () => false };
  return {
    source: tag,
    tasks: tasks.map((task) => withNewIds(taskInZone(task, 'peer', sieve), name)),
    evaluations: listIn(trace, 'evaluations').map((evaluation, index) => {
      const place = `evaluations[${index}]`;
      const id = idOf(evaluation['id'], `${place}.id`);
      const task = idOf(evaluation['task_id'], `${place}.task_id`);
      const { score, source } = evaluation;
      if (typeof score !== 'number' || !(score >= 0 && score <= 1)) throw bad(`${place}.score`, 'is not from 0 to 1');
      checkTexts(evaluation, place);
      return {
        id: `${evaluationPrefix(tag)}${sha256(id).slice(0, 20)}`,
        task_id: name(task),
        ...pick(evaluation, EVALUATION, sieve),
        source: `import:${tag}`,
        ...(typeof source === 'string' ? { origin_source: source } : {}),
        origin_id: id,
      };
    }),
  };
}

function parseTrace(content: string): JsonObject {
  if (content.startsWith('\ufeff')) throw bad('The file', 'begins with a byte order mark');
  if (/"__proto__"\s*:/.test(content)) throw bad('The file', 'has a key __proto__');
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw bad('The file', `is not JSON: ${(error as Error).message}`);
  }
  if (!isJsonObject(value)) throw bad('The file', 'is not a JSON object');
  const { metadata } = value;
  if (!isJsonObject(metadata)) throw bad('metadata', 'is missing');
  if (metadata['version'] !== TRACE_VERSION) throw bad('metadata.version', `is not ${TRACE_VERSION}`);
  for (const list of LISTS) listIn(value, list);
  return value;
}

function listIn(trace: JsonObject, name: (typeof LISTS)[number]): JsonObject[] {
  const list = trace[name] ?? [];
  if (!Array.isArray(list)) throw bad(name, 'is not a list');
  if ((name === 'tasks' || name === 'evaluations') && list.length > TEAM_LIMITS.traceTasks) {
    throw bad(name, `has more than ${TEAM_LIMITS.traceTasks}`);
  }
  const odd = list.findIndex((item) => !isJsonObject(item));
  if (odd !== -1) throw bad(`${name}[${odd}]`, 'is not an object');
  return list as JsonObject[];
}

function taskProblem(task: JsonObject, place: string): string {
  const id = idOf(task['id'], `${place}.id`);
  if (typeof task['title'] !== 'string') throw bad(`${place}.title`, 'is not text');
  if (task['title'].length > WORK_LIMITS.titleCharacters) throw bad(`${place}.title`, 'is too long');
  if (!isStatus(task['status'])) throw bad(`${place}.status`, 'is unknown');
  checkTexts(task, place);
  return id;
}

function checkTexts(object: JsonObject, place: string): void {
  for (const [field, value] of Object.entries(object)) {
    if (typeof value === 'string' && value.length > WORK_LIMITS.descriptionBytes) {
      throw bad(`${place}.${field.slice(0, 60)}`, 'is too long');
    }
  }
}

function idOf(value: unknown, place: string): string {
  if (typeof value !== 'string' || value === '' || value.length > 2 * WORK_LIMITS.idCharacters) {
    throw bad(place, `is not text of 1 to ${2 * WORK_LIMITS.idCharacters} characters`);
  }
  return value;
}

function withNewIds(task: JsonObject, name: (id: string) => string): JsonObject {
  const { cycle_config: cycle, visibility: _theirs, ...rest } = task;
  const ids = (field: string): JsonObject => {
    const list = rest[field];
    return Array.isArray(list) ? { [field]: list.map((id) => name(String(id))) } : {};
  };
  return {
    ...rest,
    id: name(String(task['id'])),
    ...ids('after'),
    ...ids('before'),
    ...ids('after_success'),
    ...(isJsonObject(cycle) ? { cycle_config: renamedGuard(cycle, name) } : {}),
  };
}

function renamedGuard(cycle: JsonObject, name: (id: string) => string): JsonObject {
  const guard = cycle['guard'];
  const of = isJsonObject(guard) ? guard['TaskStatus'] : undefined;
  if (!isJsonObject(of)) return cycle;
  return { ...cycle, guard: { TaskStatus: { ...of, task: name(String(of['task'])) } } };
}

function bad(place: string, why: string): TroupeError {
  return new TroupeError('bad_trace', {
    what: `${place} ${why}: nothing was written.`,
    details: { place },
  });
}
