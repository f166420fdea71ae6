import type { TaskTemplate } from '#core/functions/function.js';
import { generalized, generalizePrompt } from '#core/functions/generalize.js';
import { filled } from '#core/prompts/wording.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import type { Context } from '#operations/operation.js';
import type { Model } from '#ports/model.js';

interface Reworded {
  readonly tasks: readonly TaskTemplate[];
  readonly warnings: string[];
}

/** The templates in the words of a model; as they are, with a warning, when its answer is of no use. */
export async function reworded(context: Context, model: Model, tasks: readonly TaskTemplate[]): Promise<Reworded> {
  const plain = (why: string): Reworded => ({ tasks, warnings: [`${why} The texts are as they were extracted.`] });
  const nonce = `${context.freshId()}${context.freshId()}`;
  const { generalize } = await (await context.wording()).load();
  const prompt = generalizePrompt(tasks, filled(generalize, { nonce }), nonce);
  if (prompt === undefined)
    return plain('These texts cannot be shown to a model: too long, or with hidden characters.');
  try {
    const answer = await model.complete({ prompt, timeMs: LIMITS.modelCallMs, purpose: 'functions' });
    const better = generalized(tasks, answer.text);
    if (better) return { tasks: better, warnings: [] };
    return plain('The model answered something other than the texts it was asked for.');
  } catch (error) {
    if (!(error instanceof TroupeError) || error.code !== 'bad_model_answer') throw error;
    return plain(error.message);
  }
}
