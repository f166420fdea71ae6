import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { whyFacts } from '#core/insight/why.js';
import { TroupeError } from '#kernel/errors.js';
import type { FilesContext, GraphContext, MachineContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';
import { coordinationIn } from './coordination.js';

/**
 * First reason of `why` for a task that is not running, and for a task to be reviewed the changes of its latest
 * attempt.
 */
export async function taskStanding(context: GraphContext & FilesContext & MachineContext, view: GraphView, task: Task) {
  const why = await firstReason(context, view, task);
  const changes = task.status === 'pending-validation' ? await changesOfAttempt(context, task) : undefined;
  return { why, ...(changes === undefined ? {} : { changes }) };
}

async function firstReason(context: GraphContext & MachineContext, view: GraphView, task: Task): Promise<string> {
  const [first] = whyFacts(view, task, context.clock.now(), await coordinationIn(context, view));
  return first?.text ?? '';
}

/** Branch and size of the changes of the latest attempt; undefined without a worktree. */
async function changesOfAttempt(
  context: Pick<Context, 'trees'>,
  task: Task,
): Promise<{ branch: string; files: number; added: number; removed: number } | undefined> {
  try {
    const trees = await context.trees();
    const attempt = (await trees.attempts(task.id)).at(-1);
    if (attempt === undefined) return undefined;
    const { branch, changes } = await trees.changes({ task: task.id, attempt });
    return { branch, files: changes.total, added: changes.added, removed: changes.deleted };
  } catch (error) {
    if (error instanceof TroupeError) return undefined; // no repository, or the worktree was removed meanwhile
    throw error;
  }
}
