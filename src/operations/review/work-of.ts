import { mergedOf } from '#core/graph/attempts.js';
import type { Task } from '#core/graph/task.js';
import { TroupeError } from '#kernel/errors.js';
import { redact } from '#kernel/secrets.js';
import type { FilesContext, GraphContext } from '#operations/contexts.js';
import { attemptOf } from './attempt.js';

/**
 * Changes of a task in the repository: one line per file, then the patch, at most `maxBytes`, redacted. Empty if the
 * changes cannot be told apart: the task worked in the project itself, or its work is gone.
 */
export async function workOf(context: GraphContext & FilesContext, task: Task, maxBytes: number): Promise<string> {
  try {
    const merged = mergedOf(task);
    // Work that waits for a verdict is newer than merged work of an earlier iteration.
    const attempt =
      merged === undefined || task.status === 'pending-validation' ? await attemptOf(context, task) : undefined;
    const patch = attempt
      ? await (await context.trees()).patch(attempt, maxBytes)
      : merged === undefined
        ? ''
        : await (await context.integration()).patchOf(merged, maxBytes);
    return redact(patch);
  } catch (error) {
    if (error instanceof TroupeError) return ''; // without a repository or git there are no changes
    throw error;
  }
}
