import { blocksOf, comparisonIn, inferredIn } from '#core/agency/evaluation-judge.js';
import type { Verdict } from '#core/agency/record-evaluation.js';
import type { Task } from '#core/graph/task.js';
import type { Context } from '#operations/operation.js';
import { judged } from './judgement.js';
import { output, requestBlocks } from './work-shown.js';

/**
 * The score of how well work shows what it was made for: one model guesses the task from the output alone, another one
 * compares the guess with the task. Errors: `model_required`, `bad_evaluation`.
 */
export async function flipVerdict(context: Context, task: Task): Promise<Verdict> {
  const about = { task: task.id };
  const made = await output(context, task);
  const guess = await judged(context, {
    ...{ ...about, purpose: 'flip_inference', name: 'flip-infer' },
    blocks: blocksOf(made),
    take: inferredIn,
  });
  const { answer, model } = await judged(context, {
    ...{ ...about, purpose: 'flip_comparison', name: 'flip-compare' },
    blocks: blocksOf([...requestBlocks(task), ['guessed task', guess.answer]]),
    take: comparisonIn,
  });
  return { ...answer, model, evaluator: model, source: 'flip', attempt: task.fence ?? 0 };
}
