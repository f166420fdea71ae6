import type { NodeFields, Task } from '#core/graph/task.js';

/** The claim under which an artifact was last registered; undefined where only people did. */
export function registeredBy(task: Task): number | undefined {
  const fence = task['registered_by'];
  return typeof fence === 'number' ? fence : undefined;
}

/** Says so; nothing for a person. */
export function registering(fence: number | undefined): NodeFields {
  return fence === undefined ? {} : { registered_by: fence };
}
