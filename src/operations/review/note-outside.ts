import { noteOutside } from '#core/graph/outside.js';
import { TroupeError } from '#kernel/errors.js';
import type { FilesContext, GraphContext } from '#operations/contexts.js';
import type { AttemptKey } from '#ports/attempt-trees.js';

/**
 * Logs at a task the traces that its ended attempt left in the person's checkout. Traces that git cannot determine are
 * omitted.
 */
export async function noteTraces(context: GraphContext & FilesContext, attempt: AttemptKey): Promise<void> {
  try {
    const acts = await (await context.trees()).acts(attempt);
    const traces = acts && (await (await context.integration()).outside(acts));
    if (traces === undefined) return;
    await (await context.graph()).commit((view) => noteOutside(view, attempt.task, traces));
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
  }
}
