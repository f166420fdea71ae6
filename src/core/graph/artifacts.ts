import type { NodeFields, Task } from '#core/graph/task.js';
import { anything, taskField } from '#core/graph/task-field.js';

export const REGISTERED_BY = taskField('registered_by', anything);

/** The claim under which an artifact was last registered; undefined where only people did. */
export function registeredBy(task: Task): number | undefined {
  const fence = REGISTERED_BY.of(task);
  return typeof fence === 'number' ? fence : undefined;
}

/** Says so; nothing for a person. */
export function registering(fence: number | undefined): NodeFields {
  return fence === undefined ? {} : { registered_by: fence };
}
