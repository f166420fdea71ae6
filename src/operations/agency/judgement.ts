import type { ModelPurpose } from '#core/settings/model-choice.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { type AskFailure, ask, type Question } from '#operations/models/ask.js';
import type { Context } from '#operations/operation.js';

const WITHOUT: Partial<Record<ModelPurpose, string>> = {
  flip_verification: 'evaluate verify needs a model; set a provider. The task stays as it is.',
};

/**
 * What a model that judges says, and who it is. Without one nothing is made up: there are no rules that could judge. Errors:
 * `model_required`, `budget_spent`, `bad_evaluation`.
 */
export async function judged<Answer>(
  context: Context,
  question: Question<Answer>,
): Promise<{ readonly answer: Answer; readonly model: string }> {
  const { answer, failure, model } = await ask(context, { ...question, tries: LIMITS.evaluationTries });
  if (failure) throw refusal(failure, question.purpose);
  return { answer: answer as Answer, model };
}

function refusal({ code, reason, hint }: AskFailure, purpose: ModelPurpose): TroupeError {
  switch (code) {
    case 'no_model': {
      const what = WITHOUT[purpose] ?? 'evaluate run needs a model; set a provider or use evaluate record.';
      return new TroupeError('model_required', { what, hint: reason });
    }
    case 'budget_spent':
      return new TroupeError('budget_spent', { what: reason, hint });
    default:
      return new TroupeError('bad_evaluation', {
        what: `In ${LIMITS.evaluationTries} answers there was none with everything that was asked for: ${reason}`,
      });
  }
}
