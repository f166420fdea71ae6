import type { Json, JsonObject } from '#kernel/json.js';
import {
  type FieldList,
  type FieldReader,
  flag,
  number,
  object,
  objects,
  oneOf,
  paths,
  pick,
  type Sieve,
  scalar,
  text,
  texts,
  time,
} from './export-fields.js';

const INPUT: FieldList = {
  name: text,
  type: text,
  required: flag,
  default: scalar,
  example: scalar,
  min: number,
  max: number,
  values: (value, sieve) =>
    Array.isArray(value) ? value.flatMap((item: unknown) => scalar(item, sieve) ?? []) : undefined,
  description: text,
};
const TASK: FieldList = {
  template_id: text,
  title: text,
  description: text,
  skills: texts,
  inputs: paths,
  deliverables: paths,
  verify: text,
  after: texts,
  after_success: texts,
  estimate: object({ hours: number, cost: number }),
  tags: texts,
  cycle: object({
    max_iterations: number,
    guard: text,
    delay: text,
    no_converge: flag,
    restart_on_failure: flag,
    max_failure_restarts: number,
  }),
  role_hint: text,
};

/** The tasks a function was made from: those that go along, never the runs behind them. */
const sources: FieldReader = (value, sieve) => {
  if (typeof value === 'string') return sieve.keeps(value) ? value : undefined;
  if (!Array.isArray(value)) return undefined;
  const kept = value.flatMap((item: unknown): Json[] => {
    if (typeof item === 'string') return sieve.keeps(item) ? [item] : [];
    const { task_id: task, timestamp } = (item ?? {}) as Record<string, unknown>;
    if (typeof task !== 'string' || !sieve.keeps(task)) return [];
    const at = time(timestamp, sieve);
    return [{ task_id: task, ...(at === undefined ? {} : { timestamp: at }) }];
  });
  return kept.length === 0 ? undefined : kept;
};

const FUNCTION: FieldList = {
  kind: text,
  version: number,
  id: text,
  name: text,
  description: text,
  visibility: oneOf('peer', 'public'),
  extracted_from: sources,
  inputs: objects(INPUT),
  tasks: objects(TASK),
  outputs: objects({ name: text, description: text, from_task: text, field: text }),
  tags: texts,
};
const PEER_FUNCTION: FieldList = { ...FUNCTION, extracted_by: () => 'agent', extracted_at: time };

/** What of a function leaves for this zone, without the fields its owner named in `redacted_fields`. */
export function functionInZone(template: JsonObject, zone: 'peer' | 'public', sieve: Sieve): JsonObject {
  const named = template['redacted_fields'];
  const redacted = new Set(Array.isArray(named) ? named.filter((field) => typeof field === 'string') : []);
  const picked = pick(template, zone === 'peer' ? PEER_FUNCTION : FUNCTION, sieve);
  return without(picked, redacted, '') as JsonObject;
}

/** Fields are named alone (`description`) or by their way (`tasks.description`). The depth is that of the lists above. */
function without(value: Json, names: ReadonlySet<string>, way: string): Json {
  if (Array.isArray(value)) return value.map((item) => without(item, names, way));
  if (typeof value !== 'object' || value === null) return value;
  const kept: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const here = way === '' ? key : `${way}.${key}`;
    if (!names.has(key) && !names.has(here)) kept[key] = without(item, names, here);
  }
  return kept;
}
