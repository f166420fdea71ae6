import type { Task } from '#core/graph/task.js';
import { lessonOf } from '#core/playbooks/role-place.js';
import { TroupeError } from '#kernel/errors.js';
import type { WorkContext } from '#operations/contexts.js';
import { addSoloLesson } from './learn.js';

/**
 * Stores the lesson from the last message of a solo run. Idempotent. A missing or invalid role file must not block the
 * work: its error is returned as a message.
 */
export async function keepHandedLesson(
  context: WorkContext,
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
