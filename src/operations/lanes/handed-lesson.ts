import { lessonOf } from '#core/formations/role-place.js';
import type { Task } from '#core/graph/task.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';
import { addSoloLesson } from './learn.js';

/**
 * At the end of a run of one role alone: keeps the one lesson it handed on. May be asked twice, as what is there is not added again. A
 * role file that is gone or broken by then is no reason to hold the work back: then the answer says what was wrong.
 */
export async function keepHandedLesson(
  context: Context,
  task: Task,
  run: { readonly id: string; readonly words: string | undefined },
): Promise<string | undefined> {
  const handed = lessonOf(task, run.words);
  if (handed === undefined) return undefined;
  try {
    await addSoloLesson(context, handed.role, handed.lesson, run.id);
    return undefined;
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return `the lesson of ${run.id} was not saved: ${error.message}`;
  }
}
