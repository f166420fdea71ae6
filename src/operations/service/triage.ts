import type { Triaged } from '#core/coordinator/snapshot.js';
import { triagePrompt, verdictIn, verdictWithout } from '#core/coordinator/verdict.js';
import type { Task } from '#core/graph/task.js';
import { filled } from '#core/prompts/wording.js';
import { knownError, TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import type { Context } from '#operations/operation.js';
import { treeNumber } from '#operations/worktrees/attempt-of.js';
import { unlessEnded } from './unless-ended.js';

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
  const task = view.task(dead.task);
  if (!task) throw new TroupeError('unknown_task');
  const tree = await treeOf(context, task);
  try {
    return { of: 'triage', ...(await asked(context, task, dead.run, signal)) };
  } catch (error) {
    const verdict = verdictWithout({ checkpoint: task.checkpoint !== undefined, commits: (tree?.ahead ?? 0) > 0 });
    const left = verdict === 'continue' ? 'it left something to go on from' : 'it left nothing to go on from';
    return { of: 'triage', verdict, reason: `${left}; no model said more: ${knownError(error).message}` };
  }
}

async function asked(context: Context, task: Task, run: string, signal: AbortSignal) {
  const printed = await (await context.runs()).part(run, 'output', { most: LIMITS.triageOutputBytes });
  const nonce = `${context.freshId()}${context.freshId()}`;
  const { triage } = await (await context.wording()).load();
  const prompt = triagePrompt(filled(triage, { nonce }), nonce, task, printed?.text ?? '');
  const model = await context.model();
  const answer = await unlessEnded(
    model.complete({ prompt, timeMs: LIMITS.triageMs, purpose: 'triage', task: task.id }),
    signal,
  );
  const verdict = verdictIn(answer.text);
  if (!verdict)
    throw new TroupeError('bad_model_answer', { what: 'The model answered something other than a verdict.' });
  return verdict;
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
