import { blocksOf, comparisonIn, inferredIn } from '#core/evaluation/judge.js';
import type { Verdict } from '#core/evaluation/record.js';
import type { Task } from '#core/graph/task.js';
import type { Context } from '#operations/operation.js';
import { answerOf, modelFor, questionOf } from './judging-model.js';
import { asked, output } from './work-shown.js';

/**
 * The score of how well work shows what it was made for: one model guesses the task from the output alone, another one
 * compares the guess with the task. Errors: `model_required`, `bad_evaluation`.
 */
export async function flipVerdict(context: Context, task: Task): Promise<Verdict> {
  const [guesser, comparer] = [await modelFor(context, 'flip_inference'), await modelFor(context, 'flip_comparison')];
  const made = await output(context, task);
  const seen = await questionOf(context, 'flip-infer', (nonce) => blocksOf(nonce, made));
  const guessed = await answerOf(guesser, { purpose: 'flip_inference', task: task.id }, seen, inferredIn);
  const both = await questionOf(context, 'flip-compare', (nonce) =>
    blocksOf(nonce, [...asked(task), ['guessed task', guessed]]),
  );
  const { score, dimensions, notes } = await answerOf(
    comparer,
    { purpose: 'flip_comparison', task: task.id },
    both,
    comparisonIn,
  );
  const model = comparer.name ?? 'unknown';
  return { score, dimensions, notes, model, evaluator: model, source: 'flip', attempt: task.fence ?? 0 };
}
