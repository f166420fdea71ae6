import type { Task } from '#core/graph/task.js';
import { record, taskField } from '#core/graph/task-field.js';
import { reviewedBy } from './ask-review.js';

const WORKFLOW = taskField('workflow', record);

/**
 * Ids of the tasks whose work a task is there to judge: of a team the one that a member handed in, of a gate in a workflow those before
 * it. Empty for every other task.
 */
export function judgedWork(task: Task): readonly string[] {
  const reviewed = reviewedBy(task);
  if (reviewed) return [reviewed.task];
  const { role } = WORKFLOW.of(task) ?? {};
  return role === 'gate' || role === 'advice' ? (task.after ?? []) : [];
}
