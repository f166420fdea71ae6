import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';
import type { WorktreeGap } from '#ports/attempt-trees.js';

/** What worktrees of a project lack; nothing where there is no repository, or git cannot make sense of it. */
export async function worktreeGaps(context: Pick<Context, 'trees'>): Promise<readonly WorktreeGap[]> {
  try {
    return await (await context.trees()).gaps();
  } catch (error) {
    if (error instanceof TroupeError) return [];
    throw error;
  }
}
