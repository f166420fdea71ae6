import * as z from 'zod/mini';
import { checkDone, checkFence, doneTask } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { type Context, operation } from '#operations/operation.js';
import { refuseUncommitted } from '#operations/worktrees/require-commit.js';
import { commitMove, flag, movedShape, moveOptions, personForces, text } from './shapes.js';
import { refuseUntrusted } from './trusted.js';

const LAST_WORDS_CHARACTERS = 4 * 1024;

export const done = operation({
  name: 'task.done',
  input: z.strictObject({ id: z.string(), reason: text, actor: text, force: flag, converged: flag }),
  output: movedShape,
  async run(context, input) {
    const options = {
      ...moveOptions(context, input),
      force: personForces(context, input.force),
      converged: input.converged,
    };
    const view = await (await context.graph()).view();
    const task = view.task(input.id);
    if (task?.verify_cmd !== undefined && task.status !== 'done') {
      checkFence(task, options.by);
      checkDone(view, task, options);
      await verify(context, task, task.verify_cmd);
    }
    if (task !== undefined && task.status !== 'done' && !options.force) {
      if (task.require_commit === true) checkFence(task, options.by);
      await refuseUncommitted(context, task);
    }
    const fence = task?.fence;
    return commitMove(context, (now) => {
      if (task?.verify_cmd !== undefined) sameClaim(taskOf(now, input.id), fence);
      return doneTask(now, input.id, { ...options, now: context.clock.now() });
    });
  },
});

/** Runs the check of a task with nothing locked: it may take minutes. */
async function verify(context: Context, task: Task, command: string): Promise<void> {
  await refuseUntrusted(context);
  const outcome = await (await context.programs()).command(command, {
    timeMs: LIMITS.verifyMs,
    variables: { WG_TASK_ID: task.id },
  });
  if (outcome.code === 0 && outcome.end === 'exited') return;
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

/** While the check ran somebody else may have taken the task: then what was checked is not what is there. */
function sameClaim(task: Task, fence: number | undefined): void {
  if ((task.fence ?? 0) === (fence ?? 0)) return;
  throw new TroupeError('stale_attempt', {
    what: `${task.id} was claimed anew while its check ran.`,
    details: { id: task.id, fence: task.fence ?? 0, yours: fence ?? 0 },
  });
}
