import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';
import type { WorktreeGap } from '#ports/attempt-trees.js';

/** Files missing in worktrees of a project; empty without a repository or if git fails. */
export async function worktreeGaps(context: Pick<Context, 'trees'>): Promise<readonly WorktreeGap[]> {
  try {
    return await (await context.trees()).gaps();
  } catch (error) {
    if (error instanceof TroupeError) return [];
    throw error;
  }
}
