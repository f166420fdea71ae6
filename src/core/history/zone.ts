import type { NodeFields } from '#core/graph/task.js';
import type { JsonObject } from '#kernel/json.js';
import {
  exportedId,
  exportedIds,
  type FieldList,
  type FieldReader,
  flag,
  number,
  numbers,
  object,
  oneOf,
  paths,
  pick,
  type Sieve,
  status,
  text,
  texts,
  time,
} from './export-fields.js';

/** How far an export goes: it stays here, it goes to those one trusts, or to everybody. */
export const ZONES = ['internal', 'peer', 'public'] as const;
export type Zone = (typeof ZONES)[number];

/** Whether something with this visibility goes out into the zone. Whatever does not say so clearly stays at home. */
export function isInZone(visibility: unknown, zone: Zone): boolean {
  if (zone === 'internal') return true;
  return visibility === 'public' || (zone === 'peer' && visibility === 'peer');
}

const guard: FieldReader = (value, sieve) => {
  if (value === 'Always') return value;
  const { TaskStatus: of, IterationLessThan: less } = (value ?? {}) as Record<string, unknown>;
  if (typeof less === 'number' && Number.isFinite(less)) return { IterationLessThan: less };
  const { task, status: wanted } = (of ?? {}) as Record<string, unknown>;
  const state = status(wanted, sieve);
  if (typeof task !== 'string' || !sieve.keeps(task) || state === undefined) return undefined;
  return { TaskStatus: { task, status: state } };
};

const duration: FieldReader = (value) =>
  typeof value === 'string' && /^\d{1,9}[smhdw]$/.test(value) ? value : undefined;

const CYCLE: FieldList = {
  max_iterations: number,
  guard,
  delay: duration,
  no_converge: flag,
  restart_on_failure: flag,
  max_failure_restarts: number,
};

const PUBLIC_FIELDS: FieldList = {
  id: (value) => (typeof value === 'string' ? value : undefined),
  title: text,
  status,
  visibility: oneOf('peer', 'public'),
  skills: texts,
  after: exportedIds,
  before: exportedIds,
  created_at: time,
  completed_at: time,
  loop_iteration: number,
  cycle_config: object(CYCLE),
};

const PEER_FIELDS: FieldList = {
  ...PUBLIC_FIELDS,
  description: text,
  tags: texts,
  deliverables: paths,
  estimate: object({ hours: number, cost: number }),
  after_success: exportedIds,
  started_at: time,
  agent: text,
  artifacts: paths,
};

/** What of a task leaves for this zone. The lists are all there is: a field they do not name stays. */
export function taskInZone(task: NodeFields, zone: 'peer' | 'public', sieve: Sieve): JsonObject {
  return pick(task, zone === 'peer' ? PEER_FIELDS : PUBLIC_FIELDS, sieve);
}

const EVALUATION_FIELDS: FieldList = {
  id: text,
  task_id: exportedId,
  agent_id: text,
  role_id: text,
  tradeoff_id: text,
  score: number,
  dimensions: numbers,
  source: text,
  timestamp: time,
};

/** What of an evaluation leaves for peers; undefined when it is about a task that stays. */
export function evaluationForPeers(evaluation: JsonObject, sieve: Sieve): JsonObject | undefined {
  const { task_id: task } = evaluation;
  return typeof task === 'string' && sieve.keeps(task) ? pick(evaluation, EVALUATION_FIELDS, sieve) : undefined;
}
