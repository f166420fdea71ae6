import type { NodeFields } from '#core/graph/task.js';
import type { Json, JsonObject } from '#kernel/json.js';
import {
  exportedId,
  exportedIds,
  type FieldList,
  type FieldReader,
  flagReader,
  numberReader,
  numbers,
  object,
  objects,
  oneOfReader,
  pathsReader,
  pick,
  type Sieve,
  scalarReader,
  statusReader,
  textReader,
  textsReader,
  time,
} from './export-fields.js';

/** Audience of an export: this project, trusted peers, or everyone. */
export const ZONES = ['internal', 'peer', 'public'] as const;
export type Zone = (typeof ZONES)[number];

/** Whether an item with this visibility may be exported to the zone. An unclear visibility counts as internal. */
export function isInZone(visibility: unknown, zone: Zone): boolean {
  if (zone === 'internal') return true;
  return visibility === 'public' || (zone === 'peer' && visibility === 'peer');
}

const guard: FieldReader = (value, sieve) => {
  if (value === 'Always') return value;
  const { TaskStatus: of, IterationLessThan: less } = (value ?? {}) as Record<string, unknown>;
  if (typeof less === 'number' && Number.isFinite(less)) return { IterationLessThan: less };
  const { task, status: name } = (of ?? {}) as Record<string, unknown>;
  const state = statusReader(name, sieve);
  if (typeof task !== 'string' || !sieve.includes(task) || state === undefined) return undefined;
  return { TaskStatus: { task, status: state } };
};

const duration: FieldReader = (value) =>
  typeof value === 'string' && /^\d{1,9}[smhdw]$/.test(value) ? value : undefined;

const CYCLE: FieldList = {
  max_iterations: numberReader,
  guard,
  delay: duration,
  no_converge: flagReader,
  restart_on_failure: flagReader,
  max_failure_restarts: numberReader,
};

const PUBLIC_FIELDS: FieldList = {
  id: (value) => (typeof value === 'string' ? value : undefined),
  title: textReader,
  status: statusReader,
  visibility: oneOfReader('peer', 'public'),
  skills: textsReader,
  after: exportedIds,
  before: exportedIds,
  created_at: time,
  completed_at: time,
  loop_iteration: numberReader,
  cycle_config: object(CYCLE),
};

const PEER_FIELDS: FieldList = {
  ...PUBLIC_FIELDS,
  description: textReader,
  tags: textsReader,
  deliverables: pathsReader,
  estimate: object({ hours: numberReader, cost: numberReader }),
  after_success: exportedIds,
  started_at: time,
  agent: textReader,
  artifacts: pathsReader,
};

/** Exportable part of a task for this zone. The lists are allowlists: a field not listed is never exported. */
export function taskInZone(task: NodeFields, zone: 'peer' | 'public', sieve: Sieve): JsonObject {
  return pick(task, zone === 'peer' ? PEER_FIELDS : PUBLIC_FIELDS, sieve);
}

const EVALUATION_FIELDS: FieldList = {
  id: textReader,
  task_id: exportedId,
  agent_id: textReader,
  role_id: textReader,
  tradeoff_id: textReader,
  score: numberReader,
  dimensions: numbers,
  source: textReader,
  timestamp: time,
};

/** Exportable part of an evaluation for peers; undefined if its task is not exported. */
export function evaluationForPeers(evaluation: JsonObject, sieve: Sieve): JsonObject | undefined {
  const { task_id: task } = evaluation;
  return typeof task === 'string' && sieve.includes(task) ? pick(evaluation, EVALUATION_FIELDS, sieve) : undefined;
}

const INPUT: FieldList = {
  name: textReader,
  type: textReader,
  required: flagReader,
  default: scalarReader,
  example: scalarReader,
  min: numberReader,
  max: numberReader,
  values: (value, sieve) =>
    Array.isArray(value) ? value.flatMap((item: unknown) => scalarReader(item, sieve) ?? []) : undefined,
  description: textReader,
};
const TASK: FieldList = {
  template_id: textReader,
  title: textReader,
  description: textReader,
  skills: textsReader,
  inputs: pathsReader,
  deliverables: pathsReader,
  verify: textReader,
  after: textsReader,
  after_success: textsReader,
  estimate: object({ hours: numberReader, cost: numberReader }),
  tags: textsReader,
  cycle: object({
    max_iterations: numberReader,
    guard: textReader,
    delay: textReader,
    no_converge: flagReader,
    restart_on_failure: flagReader,
    max_failure_restarts: numberReader,
  }),
  role_hint: textReader,
};

/** The exported tasks that a function was extracted from, never their runs. */
const sources: FieldReader = (value, sieve) => {
  if (typeof value === 'string') return sieve.includes(value) ? value : undefined;
  if (!Array.isArray(value)) return undefined;
  const tasks = value.flatMap((item: unknown): Json[] => {
    if (typeof item === 'string') return sieve.includes(item) ? [item] : [];
    const { task_id: task, timestamp } = (item ?? {}) as Record<string, unknown>;
    if (typeof task !== 'string' || !sieve.includes(task)) return [];
    const at = time(timestamp, sieve);
    return [{ task_id: task, ...(at === undefined ? {} : { timestamp: at }) }];
  });
  return tasks.length === 0 ? undefined : tasks;
};

const FUNCTION: FieldList = {
  kind: textReader,
  version: numberReader,
  id: textReader,
  name: textReader,
  description: textReader,
  visibility: oneOfReader('peer', 'public'),
  extracted_from: sources,
  inputs: objects(INPUT),
  tasks: objects(TASK),
  outputs: objects({ name: textReader, description: textReader, from_task: textReader, field: textReader }),
  tags: textsReader,
};
const PEER_FUNCTION: FieldList = { ...FUNCTION, extracted_by: () => 'agent', extracted_at: time };

/** Exportable part of a function for this zone, without the fields its owner listed in `redacted_fields`. */
export function functionInZone(template: JsonObject, zone: 'peer' | 'public', sieve: Sieve): JsonObject {
  const named = template['redacted_fields'];
  const redacted = new Set(Array.isArray(named) ? named.filter((field) => typeof field === 'string') : []);
  const picked = pick(template, zone === 'peer' ? PEER_FUNCTION : FUNCTION, sieve);
  return without(picked, redacted, '') as JsonObject;
}

/** Removes fields by name (`description`) or by path (`tasks.description`). The allowlists above bound the depth. */
function without(value: Json, names: ReadonlySet<string>, way: string): Json {
  if (Array.isArray(value)) return value.map((item) => without(item, names, way));
  if (typeof value !== 'object' || value === null) return value;
  const fields: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const here = way === '' ? key : `${way}.${key}`;
    if (!names.has(key) && !names.has(here)) fields[key] = without(item, names, here);
  }
  return fields;
}
