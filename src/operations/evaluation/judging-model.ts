import { filled, type WordingName } from '#core/prompts/wording.js';
import { type ModelPurpose, modelChoice } from '#core/settings/model-choice.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import type { Context } from '#operations/operation.js';
import { loadSettings } from '#operations/settings/load.js';
import type { Model } from '#ports/model.js';

const WITHOUT: Partial<Record<ModelPurpose, string>> = {
  flip_verification: 'evaluate verify needs a model; set a provider. The task stays as it is.',
};

/** The model for a purpose, ready. Errors: `model_required` where there is none. */
export async function modelFor(context: Context, purpose: ModelPurpose, model?: string): Promise<Model> {
  const { settings } = await loadSettings(context);
  const found = await context.model(modelChoice(settings, purpose, { model }));
  try {
    await found.ready();
    return found;
  } catch (error) {
    if (!(error instanceof TroupeError) || error.code !== 'no_model') throw error;
    throw new TroupeError('model_required', {
      what: WITHOUT[purpose] ?? 'evaluate run needs a model; set a provider or use evaluate record.',
      hint: error.message,
      cause: error,
    });
  }
}

/** Our words with blocks of foreign text below them, under a nonce of this one question. */
export async function questionOf(
  context: Context,
  name: WordingName,
  blocks: (nonce: string) => string,
): Promise<string> {
  const nonce = `${context.freshId()}${context.freshId()}`.replace(/[^A-Za-z0-9_-]/g, '').slice(0, 64);
  const words = (await (await context.wording()).load())[name];
  return `${filled(words, { nonce })}\n\n${blocks(nonce)}\n`;
}

/** What the answer comes to; an answer that does not fit is asked for again, a few times. Errors: `bad_evaluation`. */
export async function answerOf<Found>(
  model: Model,
  { purpose, task }: { readonly purpose: ModelPurpose; readonly task: string },
  prompt: string,
  take: (text: string) => Found | undefined,
): Promise<Found> {
  for (let attempt = 0; attempt < LIMITS.evaluationTries; attempt++) {
    try {
      const found = take((await model.complete({ prompt, timeMs: LIMITS.modelCallMs, purpose, task })).text);
      if (found !== undefined) return found;
    } catch (error) {
      if (!(error instanceof TroupeError) || error.code !== 'bad_model_answer') throw error; // else: asked again
    }
  }
  throw new TroupeError('bad_evaluation', {
    what: `In ${LIMITS.evaluationTries} answers there was none with everything that was asked for.`,
  });
}
