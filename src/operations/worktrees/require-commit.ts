import type { Task } from '#core/graph/task.js';
import { checkCommitted } from '#core/worktrees/tree-state.js';
import type { Context } from '#operations/operation.js';

/**
 * Refuses a task that has to be committed and is not: `no_commit`, `dirty_tree`. What counts is the worktree of its
 * attempt; of work done in the project itself, what was committed there since it began.
 */
export async function refuseUncommitted(context: Pick<Context, 'worktrees' | 'clock'>, task: Task): Promise<void> {
  if (task.require_commit !== true) return;
  const worktrees = await context.worktrees();
  const own = task.fence === undefined ? undefined : await worktrees.stateOf({ task: task.id, attempt: task.fence });
  const began = Date.parse(task.started_at ?? '');
  checkCommitted(task.id, own ?? (await worktrees.ownState(Number.isNaN(began) ? context.clock.now() : began)));
}
