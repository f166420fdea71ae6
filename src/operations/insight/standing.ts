import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { whyFacts } from '#core/insight/why.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';
import { coordinationIn } from './coordination.js';

/** Why a task does not go on, as `why` says it first, and what the latest attempt at it changed where that is to be reviewed. */
export async function taskStanding(context: Context, view: GraphView, task: Task) {
  const why = await firstReason(context, view, task);
  const changes = task.status === 'pending-validation' ? await changesOfAttempt(context, task) : undefined;
  return { why, ...(changes === undefined ? {} : { changes }) };
}

async function firstReason(context: Context, view: GraphView, task: Task): Promise<string> {
  const [first] = whyFacts(view, task, context.clock.now(), await coordinationIn(context, view));
  return first?.text ?? '';
}

/** Branch and extent of what the latest attempt at a task changed; undefined where there is no worktree of it. */
async function changesOfAttempt(
  context: Context,
  task: Task,
): Promise<{ branch: string; files: number; added: number; removed: number } | undefined> {
  try {
    const trees = await context.trees();
    const attempt = (await trees.attempts(task.id)).at(-1);
    if (attempt === undefined) return undefined;
    const { branch, changes } = await trees.changes({ task: task.id, attempt });
    return { branch, files: changes.total, added: changes.added, removed: changes.deleted };
  } catch (error) {
    if (error instanceof TroupeError) return undefined; // no repository, or the worktree went meanwhile
    throw error;
  }
}
