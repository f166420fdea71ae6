import type { Task } from './task.js';
import { taskField } from './task-field.js';

/** Labels that whoever carries a task out must have, such as `gpu`. */
export const NEEDS = taskField('needs', (value): readonly string[] | undefined =>
  Array.isArray(value) ? value.filter((label): label is string => typeof label === 'string') : undefined,
);

/** Those of a task; none where it can be carried out anywhere. */
export function needsOf(task: Task | undefined): readonly string[] {
  return NEEDS.of(task) ?? [];
}
