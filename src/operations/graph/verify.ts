import type { Task } from '#core/graph/task.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import type { Context } from '#operations/operation.js';
import type { Attempt } from '#operations/worktrees/attempt-of.js';
import type { Checked } from './gather-evidence.js';
import { refuseUntrustedCommand } from './trusted.js';

const LAST_WORDS_CHARACTERS = 4 * 1024;

/**
 * Runs the check of a task with nothing locked, where its work lies: it may take minutes. Refuses with `verify_failed` when
 * it does not end well.
 */
export async function verify(
  context: Context,
  task: Task,
  command: string,
  attempt: Attempt | undefined,
): Promise<Checked> {
  await refuseUntrustedCommand(context, task);
  // Looked at first: a tree that somebody replaced by a link is no place to run anything in.
  const tree = attempt && (await (await context.worktrees()).stateOf(attempt));
  const outcome = await (await context.programs()).command(command, {
    timeMs: LIMITS.verifyMs,
    variables: {
      WG_TASK_ID: task.id,
      ...(attempt && tree ? { WG_WORKTREE_PATH: tree.path, WG_BRANCH: attempt.branch } : {}),
    },
    ...(attempt && tree ? { folder: attempt.folder } : {}),
  });
  if (outcome.code === 0 && outcome.end === 'exited') return { command, exit: 0, ms: outcome.durationMs };
  const how =
    outcome.end === 'timed-out'
      ? `took longer than ${LIMITS.verifyMs / 1_000} s`
      : `ended with ${outcome.code ?? outcome.end}`;
  throw new TroupeError('verify_failed', {
    what: `The check of ${task.id} ${how}: ${command.slice(0, 120)}`,
    details: {
      id: task.id,
      code: outcome.code,
      end: outcome.end,
      output: outcome.output.slice(-LAST_WORDS_CHARACTERS),
    },
  });
}
