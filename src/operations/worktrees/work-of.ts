import { mergedOf } from '#core/graph/attempts.js';
import type { Task } from '#core/graph/task.js';
import { TroupeError } from '#kernel/errors.js';
import { redact } from '#kernel/secrets.js';
import type { Context } from '#operations/operation.js';
import { attemptOf } from './attempt.js';

/**
 * Everything a task changed in the repository: a line a file, then the patch, at most `maxBytes` and without secrets. Empty where nothing
 * of it can be told apart: it worked in the project itself, or what it made is gone.
 */
export async function workOf(
  context: Pick<Context, 'trees' | 'integration' | 'runs'>,
  task: Task,
  maxBytes: number,
): Promise<string> {
  try {
    const merged = mergedOf(task);
    // Work that waits for a verdict is newer than what was merged of an earlier pass.
    const attempt =
      merged === undefined || task.status === 'pending-validation' ? await attemptOf(context, task) : undefined;
    const patch = attempt
      ? await (await context.trees()).patch(attempt, maxBytes)
      : merged === undefined
        ? ''
        : await (await context.integration()).patchOf(merged, maxBytes);
    return redact(patch);
  } catch (error) {
    if (error instanceof TroupeError) return ''; // no repository, no git: then nothing is claimed of it
    throw error;
  }
}
