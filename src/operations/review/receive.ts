import type { Task } from '#core/graph/task.js';
import { phaseOf } from '#core/playbooks/hand-in.js';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { isUnreachable } from '#kernel/out-of-reach.js';
import type { Context } from '#operations/operation.js';
import type { AttemptKey, Publication } from '#ports/attempt-trees.js';
import type { AttemptEnd } from '#ports/worker-gateway.js';
import type { Attempt } from './attempt.js';

/**
 * Fetches the work of an attempt at a worker, as if it had been handed over here. Work that cannot be fetched stays
 * there unmerged; the result holds the reason. If its files are needed next, a worktree is created for them. Errors:
 * `remote_unreachable`.
 */
export async function receive(
  context: Pick<Context, 'graph' | 'trees'>,
  task: Task,
  attempt: Attempt,
  end: Pick<AttemptEnd, 'publication' | 'unpublished'>,
): Promise<Publication> {
  const failed = await receiveBranch(context, attempt, end);
  const { publication, unpublished } = end;
  if (failed !== undefined) return left(failed);
  if (publication === undefined) return left(unpublished ?? 'its worker did not say what became of its work');
  if (publication.outcome === 'published' && (await isLookedAt(context, task))) {
    const { task: id, attempt: number } = attempt;
    const base = publication.base ?? publication.commit;
    await (await context.trees()).create({
      task: id,
      attempt: number,
      base,
      publishedAs: publication.branch,
      fresh: true,
    });
  }
  return publication;
}

/**
 * Updates the branch of an attempt to the commit that its worker published; returns the reason if it fails. Errors:
 * `remote_unreachable`.
 */
export async function receiveBranch(
  context: Pick<Context, 'trees'>,
  { task, attempt, branch }: AttemptKey & { readonly branch: string },
  { publication }: Pick<AttemptEnd, 'publication'>,
): Promise<string | undefined> {
  if (publication?.outcome !== 'published') return undefined;
  if (publication.branch !== branch) return `it was published as ${publication.branch}, which is not its branch`;
  try {
    await (await context.trees()).receive({ task, attempt }, publication);
    return undefined;
  } catch (error) {
    if (!(error instanceof TroupeError) || isUnreachable(error)) throw error;
    return asTroupeError(error).message;
  }
}

/** Whether the files are needed: phases hand in files, and artifacts are files. */
async function isLookedAt(context: Pick<Context, 'graph'>, task: Task): Promise<boolean> {
  return (task.artifacts ?? []).length > 0 || phaseOf(await (await context.graph()).view(), task) !== undefined;
}

function left(text: string): Publication {
  return { outcome: 'kept', reason: 'moved', text };
}
