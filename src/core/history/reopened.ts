import type { Task } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';

/** What one try, or one going round of a cycle, leaves on a task. Its text, edges, settings, log and fence are not among it. */
export const EXECUTION_FIELDS: readonly string[] = [
  ...['assigned', 'started_at', 'completed_at', 'ready_after', 'failure_reason', 'session_id', 'token_usage'],
  ...['wait_condition', 'checkpoint', 'artifacts', 'retry_count', 'rejection_count', 'resurrection_count'],
  ...['last_resurrected_at', 'loop_iteration', 'last_iteration_completed_at', 'cycle_failure_restarts', 'cycle_ended'],
  ...['converge_on_done', 'deaths', 'failed_starts', 'asked_to_report', 'registered_by'],
];

const CONVERGED = 'converged';

/** The fields of this task that a fresh start takes away. */
export function executionFieldsOf(task: Task): string[] {
  return EXECUTION_FIELDS.filter((field) => fieldsOf(task)[field] !== undefined);
}

/** The tags a fresh start leaves; undefined when that is all of them. */
export function tagsAfresh(task: Task): string[] | undefined {
  return task.tags?.includes(CONVERGED) ? task.tags.filter((tag) => tag !== CONVERGED) : undefined;
}

/** The task as if it had never been tried. */
export function reopened(task: Task): Task {
  const gone = new Set(executionFieldsOf(task));
  const kept = Object.fromEntries(Object.entries(task).filter(([field]) => !gone.has(field)));
  const tags = tagsAfresh(task);
  return { ...kept, status: 'open', ...(tags === undefined ? {} : { tags }) } as unknown as Task;
}
