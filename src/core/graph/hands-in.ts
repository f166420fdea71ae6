// A task that ends with one file, handed in by the operation that holds it to its form: without it the task is not done.
import { TroupeError } from '#kernel/errors.js';
import type { Task } from './task.js';
import { flagField, taskField } from './task-field.js';

export const HANDS_IN = taskField('hands_in', flagField);

/** The file that is still to be handed in; undefined where there is none. */
export function missingHandIn(task: Task): string | undefined {
  if (HANDS_IN.of(task) !== true) return undefined;
  return task.deliverables?.find((file) => task.artifacts?.includes(file) !== true);
}

/** Refuses to take a task for done whose file is not there, whoever says it. Errors: `hand_in_missing`. */
export function refuseMissingHandIn(task: Task): void {
  const file = missingHandIn(task);
  if (file === undefined) return;
  const { id } = task;
  throw new TroupeError('hand_in_missing', {
    what: `${id} is not done before it has handed in ${file}.`,
    hint: `Hand it in: the tool \`formation_hand_in\` with \`id\` and \`content\`, or \`troupe formation hand-in ${id} --file FILE\`.`,
    details: { id, file },
  });
}
