/** Who decides a field when both sides changed it. */
export type FieldKind = 'log' | 'list' | 'counter' | 'counters' | 'execution' | 'other';

/** What a task's status brings with it: from one side as a whole, or the task would say what never was. */
export const EXECUTION_FIELDS: readonly string[] = [
  'status',
  'assigned',
  'started_at',
  'completed_at',
  'last_iteration_completed_at',
  'failure_reason',
  'wait_condition',
  'ready_after',
  'session_id',
  'converge_on_done',
  'cycle_ended',
  'asked_to_report',
];

const LISTS = new Set([
  ...['before', 'after', 'after_success', 'requires', 'tags', 'skills', 'inputs', 'deliverables', 'artifacts'],
  ...['superseded_by', 'place_near', 'place_before'],
]);

const COUNTERS = new Set([
  ...['retry_count', 'loop_iteration', 'cycle_failure_restarts', 'resurrection_count', 'rejection_count', 'fence'],
]);

/** Which rule a field follows. A list nobody knows is a list all the same when it holds only text. */
export function kindOf(field: string, values: readonly unknown[]): FieldKind {
  if (field === 'log') return 'log';
  if (field === 'token_usage') return 'counters';
  if (EXECUTION_FIELDS.includes(field)) return 'execution';
  const there = values.filter((value) => value !== undefined);
  if (LISTS.has(field) || there.every(isTextList)) return 'list';
  if (COUNTERS.has(field) && there.every((value) => typeof value === 'number')) return 'counter';
  return 'other';
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
