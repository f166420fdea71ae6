// Tasks that end by submitting one file through the operation that validates its format: without the file they are not
// done.
import { TroupeError } from '#kernel/errors.js';
import type { Task } from './task.js';
import { flagField, taskField } from './task-field.js';

export const HANDS_IN = taskField('hands_in', flagField);

/** The file still to be submitted; undefined if there is none. */
export function missingHandIn(task: Task): string | undefined {
  if (HANDS_IN.of(task) !== true) return undefined;
  return task.deliverables?.find((file) => task.artifacts?.includes(file) !== true);
}

/** Refuses to mark a task done while its file is missing, for every caller. Errors: `hand_in_missing`. */
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
