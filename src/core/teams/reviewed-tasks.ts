import type { Task } from '#core/graph/task.js';
import { record, taskField } from '#core/graph/task-field.js';
import { reviewedBy } from './ask-review.js';

const WORKFLOW = taskField('workflow', record);

/**
 * Ids of the tasks whose work a task reviews: for a team review the submitted task, for a workflow gate or advice its
 * predecessors. Empty for every other task.
 */
export function reviewedTaskIds(task: Task): readonly string[] {
  const reviewed = reviewedBy(task);
  if (reviewed) return [reviewed.task];
  const { role } = WORKFLOW.of(task) ?? {};
  return role === 'gate' || role === 'advice' ? (task.after ?? []) : [];
}
