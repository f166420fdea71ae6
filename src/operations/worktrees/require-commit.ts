import type { Task } from '#core/graph/task.js';
import { checkCommitted } from '#core/worktrees/state.js';
import type { Context } from '#operations/operation.js';
import { treeNumber } from './attempt-of.js';

/**
 * Refuses a task that has to be committed and is not: `no_commit`, `dirty_tree`. What counts is the worktree of its
 * attempt; of work done in the project itself, what was committed there since it began.
 */
export async function refuseUncommitted(
  context: Pick<Context, 'worktrees' | 'clock' | 'runs'>,
  task: Task,
): Promise<void> {
  if (task.require_commit !== true) return;
  const worktrees = await context.worktrees();
  const attempt = await treeNumber(context, task);
  const own = attempt === undefined ? undefined : await worktrees.stateOf({ task: task.id, attempt });
  const began = Date.parse(task.started_at ?? '');
  checkCommitted(task.id, own ?? (await worktrees.ownState(Number.isNaN(began) ? context.clock.now() : began)));
}
