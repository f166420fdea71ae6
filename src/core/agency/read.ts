import { Agency } from '#core/agency/agency.js';
import {
  type Agent,
  type Entity,
  type EvaluationRef,
  type Kind,
  type Lineage,
  type Performance,
  type Role,
  type SkillRef,
  TRUST_LEVELS,
  type Tradeoff,
} from '#core/agency/entities.js';
import { CONTEXT_SCOPES, EXEC_MODES, PROVIDERS } from '#core/graph/task.js';
import { isJsonObject, type Json, type JsonObject } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { inSentence } from '#kernel/text.js';
import { agentText, idOf, legacyRoleText, personText, roleText, tradeoffText } from './entity-text.js';
import { meanOf } from './scores.js';

/**
 * Parsed file of the agency. `component` and `outcome` are parts of roles of older layouts; `state` holds our own
 * counters.
 */
export interface AgencyRecord {
  readonly kind: Kind | 'component' | 'outcome' | 'state';
  /** File name without extension. */
  readonly id: string;
  readonly file: string;
  readonly retired: boolean;
  readonly value: unknown;
}

/**
 * Builds the agency from these files. A file whose content does not match its id, or which is invalid, is skipped with
 * a warning.
 */
export function agencyOf(records: readonly AgencyRecord[], warnings: readonly string[]): Agency {
  const parts = new Map(records.map((record) => [`${record.kind} ${record.id}`, record.value]));
  const problems = [...warnings];
  const entities: Entity[] = [];
  let assignments = 0;
  for (const record of records) {
    if (record.kind === 'component' || record.kind === 'outcome') continue;
    if (record.kind === 'state') {
      const count = isJsonObject(record.value) ? record.value['assignments'] : 0;
      if (typeof count === 'number' && count > 0) assignments = Math.trunc(count);
      continue;
    }
    const entity = entityOf(record, parts);
    const place = `${inSentence(record.file)}:1`;
    if (typeof entity === 'string') {
      problems.push(`${place}: ${entity}`);
      continue;
    }
    entities.push(record.retired ? { ...entity, retired: true } : entity);
    const bad =
      listedIn(isJsonObject(record.value) ? record.value['performance'] : undefined).length -
      entity.performance.evaluations.length;
    if (bad > 0) problems.push(`${place}: ${bad} of its scores do not count: not from 0 to 1, or of no task`);
  }
  return new Agency(entities, problems, assignments);
}

const FORGED = 'forged_id: its content does not match its id';

function entityOf(record: AgencyRecord, parts: ReadonlyMap<string, unknown>): Entity | string {
  const { value, id } = record;
  if (!isJsonObject(value)) return 'not a record';
  if (typeof value['id'] === 'string' && value['id'] !== id) return FORGED;
  try {
    switch (record.kind) {
      case 'role':
        return value['component_ids'] === undefined ? roleOf(id, value) : legacyRoleOf(id, value, parts);
      case 'tradeoff':
        return tradeoffOf(id, value);
      default:
        return agentOf(id, value);
    }
  } catch (error) {
    return (error as Error).message;
  }
}

function roleOf(id: string, value: JsonObject): Role | string {
  const identity = {
    description: textAt(value, 'description'),
    skills: listAt(value, 'skills').map(skillOf),
    desired_outcome: textAt(value, 'desired_outcome'),
  };
  if (idOf(roleText(identity)) !== id) return FORGED;
  return { kind: 'role', ...common(id, value, ROLE_KEYS), ...identity, ...roleDefaults(value) };
}

function legacyRoleOf(id: string, value: JsonObject, parts: ReadonlyMap<string, unknown>): Role | string {
  const components = listAt(value, 'component_ids').map(String);
  const outcome = textAt(value, 'outcome_id');
  if (idOf(legacyRoleText(components, outcome)) !== id) return FORGED;
  const skills = components.map((component) => {
    const part = parts.get(`component ${component}`);
    return { name: isJsonObject(part) ? (optional(part, 'name') ?? component) : component };
  });
  const described = parts.get(`outcome ${outcome}`);
  const desired_outcome = isJsonObject(described) ? (optional(described, 'description') ?? '') : '';
  const description = optional(value, 'description') ?? '';
  const read = common(id, value, ['description', 'default_context_scope', 'default_exec_mode']);
  return { kind: 'role', ...read, description, skills, desired_outcome, ...roleDefaults(value), scheme: 'legacy' };
}

function roleDefaults(value: JsonObject) {
  return {
    ...oneOf(value, 'default_context_scope', CONTEXT_SCOPES),
    ...oneOf(value, 'default_exec_mode', EXEC_MODES),
  };
}

function tradeoffOf(id: string, value: JsonObject): Tradeoff | string {
  const identity = {
    description: textAt(value, 'description'),
    acceptable_tradeoffs: listAt(value, 'acceptable_tradeoffs').map(String),
    unacceptable_tradeoffs: listAt(value, 'unacceptable_tradeoffs').map(String),
  };
  if (idOf(tradeoffText(identity)) !== id) return FORGED;
  return { kind: 'tradeoff', ...common(id, value, TRADEOFF_KEYS), ...identity };
}

function agentOf(id: string, value: JsonObject): Agent | string {
  const role_id = optional(value, 'role_id') ?? '';
  const tradeoff_id = optional(value, 'tradeoff_id') ?? optional(value, 'motivation_id') ?? '';
  const executor = optional(value, 'executor') ?? 'claude';
  const read = common(id, value, AGENT_KEYS);
  const person = optional(value, 'person');
  const identity =
    role_id && tradeoff_id ? agentText(role_id, tradeoff_id) : (person ?? personText(read.name, executor));
  if (idOf(identity) !== id) return FORGED;
  return {
    kind: 'agent',
    ...read,
    role_id,
    tradeoff_id,
    executor,
    capabilities: listAt(value, 'capabilities').map(String),
    trust_level: oneOf(value, 'trust_level', TRUST_LEVELS).trust_level ?? 'provisional',
    ...numberAt(value, 'rate'),
    ...numberAt(value, 'capacity'),
    ...textMaybe(value, 'contact'),
    ...textMaybe(value, 'preferred_model'),
    ...oneOf(value, 'preferred_provider', PROVIDERS),
    ...textMaybe(value, 'person'),
  };
}

const COMMON_KEYS = ['id', 'name', 'performance', 'lineage', 'held', 'pending'];
const ROLE_KEYS = ['description', 'skills', 'desired_outcome', 'default_context_scope', 'default_exec_mode'];
const TRADEOFF_KEYS = ['description', 'acceptable_tradeoffs', 'unacceptable_tradeoffs'];
const AGENT_KEYS = [
  ...['role_id', 'tradeoff_id', 'motivation_id', 'capabilities', 'rate', 'capacity', 'trust_level', 'contact'],
  ...['executor', 'preferred_model', 'preferred_provider', 'person'],
];

function common(id: string, value: JsonObject, keys: readonly string[]) {
  const more = Object.entries(value).filter(([key]) => !COMMON_KEYS.includes(key) && !keys.includes(key));
  return {
    id,
    name: optional(value, 'name') ?? id.slice(0, 8),
    performance: performanceOf(value['performance']),
    lineage: lineageOf(value['lineage']),
    ...textMaybe(value, 'held'),
    ...(value['pending'] === true ? { pending: true as const } : {}),
    more: Object.fromEntries(more),
  };
}

/** Count and mean are derived from the references; the values in the file are ignored. */
export function performanceOf(value: unknown): Performance {
  const evaluations: EvaluationRef[] = [];
  for (const one of listedIn(value)) {
    const reference = referenceOf(one);
    if (reference) evaluations.push(reference);
  }
  return performanceFrom(evaluations);
}

function listedIn(performance: unknown): readonly unknown[] {
  return isJsonObject(performance) && Array.isArray(performance['evaluations']) ? performance['evaluations'] : [];
}

/** Most of ten thousand references are already in the right form; these are returned without a copy. */
function referenceOf(value: unknown): EvaluationRef | undefined {
  if (!isJsonObject(value)) return undefined;
  const { score, task_id, timestamp, context_id, evaluation_id, source } = value;
  if (typeof score !== 'number' || !(score >= 0 && score <= 1) || typeof task_id !== 'string') return undefined;
  const isWhole = typeof timestamp === 'string' && typeof context_id === 'string';
  const isNamed = typeof evaluation_id === 'string' && typeof source === 'string';
  if (isWhole && isNamed && Object.keys(value).length === REFERENCE_KEYS) return value as unknown as EvaluationRef;
  return {
    score,
    task_id,
    timestamp: typeof timestamp === 'string' ? timestamp : '',
    context_id: typeof context_id === 'string' ? context_id : '',
    ...(typeof evaluation_id === 'string' ? { evaluation_id } : {}),
    ...(typeof source === 'string' ? { source } : {}),
  };
}

const REFERENCE_KEYS = 6;

export function performanceFrom(evaluations: readonly EvaluationRef[]): Performance {
  const count = evaluations.length;
  return { task_count: count, avg_score: meanOf(evaluations.map(({ score }) => score)), evaluations };
}

function lineageOf(value: Json | undefined): Lineage {
  const record = isJsonObject(value) ? value : {};
  const generation = record['generation'];
  return {
    parent_ids: Array.isArray(record['parent_ids']) ? record['parent_ids'].map(String) : [],
    generation: typeof generation === 'number' && generation >= 0 ? Math.trunc(generation) : 0,
    created_by: optional(record, 'created_by') ?? 'human',
    created_at: optional(record, 'created_at') ?? '',
    ...textMaybe(record, 'creator_agent'),
    ...textMaybe(record, 'creator_model'),
  };
}

function skillOf(value: Json): SkillRef {
  if (typeof value === 'string') return { name: value };
  if (isJsonObject(value)) {
    const { name, file, url, inline } = value;
    if (typeof name === 'string') return { name };
    if (typeof file === 'string') return { file };
    if (typeof url === 'string') return { url };
    if (typeof inline === 'string') return { inline };
  }
  throw new Error('a skill is neither a name nor a file, an address or a text');
}

function textAt(value: JsonObject, key: string): string {
  const text = value[key];
  if (typeof text !== 'string') throw new Error(`${key} is not text`);
  return text;
}

function listAt(value: JsonObject, key: string): Json[] {
  const items = value[key] ?? [];
  if (!Array.isArray(items)) throw new Error(`${key} is not a list`);
  if (items.length > TEAM_LIMITS.agencyItems) throw new Error(`${key} has more than ${TEAM_LIMITS.agencyItems} items`);
  return items;
}

function optional(value: JsonObject, key: string): string | undefined {
  const text = value[key];
  return typeof text === 'string' ? text : undefined;
}

function textMaybe<Key extends string>(value: JsonObject, key: Key): { readonly [key in Key]?: string } {
  const text = optional(value, key);
  return text === undefined ? {} : ({ [key]: text } as { [key in Key]: string });
}

function numberAt<Key extends string>(value: JsonObject, key: Key): { readonly [key in Key]?: number } {
  const number = value[key];
  return typeof number === 'number' && number >= 0 && Number.isFinite(number)
    ? ({ [key]: number } as { [key in Key]: number })
    : {};
}

function oneOf<Key extends string, Value extends string>(
  value: JsonObject,
  key: Key,
  values: readonly Value[],
): { readonly [key in Key]?: Value } {
  const match = values.find((one) => one === value[key]);
  return match === undefined ? {} : ({ [key]: match } as { [key in Key]: Value });
}
