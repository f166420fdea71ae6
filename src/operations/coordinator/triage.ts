import { type Triaged, triageBlocks, verdictIn, verdictWithout } from '#core/coordinator/triage.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { ask } from '#operations/models/ask.js';
import type { Context } from '#operations/operation.js';
import { treeNumber } from '#operations/worktrees/attempt-of.js';

export interface DeadRun {
  readonly run: string;
  readonly task: string;
  readonly fence: number;
}

/**
 * Asks a model how far a dead run had come. Without one, and when it fails, takes too long or says something else, what the
 * run left behind decides. Changes nothing: asked twice, it is only looked at twice.
 */
export async function triageRun(context: Context, dead: DeadRun, signal: AbortSignal): Promise<Triaged> {
  const view = await (await context.graph()).view();
  const task = taskOf(view, dead.task);
  const tree = await treeOf(context, task);
  const printed = await (await context.runs()).part(dead.run, 'output', {
    most: LIMITS.triageOutputBytes,
  });
  const { answer, failure } = await ask(context, {
    ...{ purpose: 'triage', name: 'triage', timeMs: LIMITS.triageMs, task: task.id, signal },
    blocks: triageBlocks(task, printed?.text ?? ''),
    take: verdictIn,
  });
  if (answer) return { of: 'triage', ...answer };
  const verdict = verdictWithout({ checkpoint: task.checkpoint !== undefined, commits: (tree?.ahead ?? 0) > 0 });
  const left = verdict === 'continue' ? 'it left something to go on from' : 'it left nothing to go on from';
  return { of: 'triage', verdict, reason: `${left}; no model said more: ${failure?.reason}` };
}

async function treeOf(context: Context, task: Task): Promise<{ ahead: number } | undefined> {
  try {
    const attempt = (await treeNumber(context, task)) ?? 0;
    return await (await context.worktrees()).stateOf({ task: task.id, attempt });
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return undefined; // no repository, no worktrees
  }
}
