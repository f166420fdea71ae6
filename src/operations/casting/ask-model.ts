import { picksFromAnswer } from '#core/casting/model-answer.js';
import { choicePrompt, type ModelTopic } from '#core/casting/model-prompt.js';
import type { Picks } from '#core/casting/picks.js';
import type { Catalog } from '#core/catalog/catalog.js';
import { filled } from '#core/prompts/wording.js';
import { modelChoice } from '#core/settings/model-choice.js';
import type { ModelProvider } from '#core/settings/model-providers.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import type { Context } from '#operations/operation.js';
import { loadSettings } from '#operations/settings/load.js';
import type { Model } from '#ports/model.js';

/** What is said about the model with a way of choosing. */
export interface ModelWish {
  readonly offline?: boolean | undefined;
  readonly provider?: ModelProvider | undefined;
  readonly model?: string | undefined;
  readonly size?: number | undefined;
}

export type ModelPicks = Picks & { readonly rationale: string; readonly runId?: string | undefined };

/**
 * What a model chooses; undefined when none is configured or none is wanted. One that is configured and fails is
 * `model_run_failed`: nothing else chooses in its place. No lock is held while it thinks.
 */
export async function picksOfModel(
  context: Context,
  catalog: Catalog,
  topic: ModelTopic,
  wish: ModelWish,
): Promise<ModelPicks | undefined> {
  const model = wish.offline === true ? undefined : await configuredModel(context, wish);
  if (model === undefined) return undefined;
  const nonce = `${context.freshId()}${context.freshId()}`.replace(/[^A-Za-z0-9_-]/g, '').slice(0, 64);
  const { teamSizeModelLeast: least, teamSizeModelMost: most } = LIMITS;
  const { cast } = await (await context.wording()).load();
  const words = filled(cast, { nonce, count: wish.size === undefined ? `${least} to ${most}` : wish.size });
  const prompt = choicePrompt(words, nonce, catalog.menu, topic);
  const answer = await model.complete({ prompt, timeMs: LIMITS.modelCallMs, purpose: 'casting' }).catch(modelFailed);
  const picks = picksFromAnswer(catalog, answer.text, wish.size ?? most);
  if (picks) return { ...picks, runId: answer.runId };
  throw new TroupeError('model_run_failed', {
    what: 'The answer of the model names no archetype that can be cast.',
    details: { run_id: answer.runId ?? null },
  });
}

/** The model that is to be asked, ready; undefined when nobody has configured one. */
export async function configuredModel(context: Context, wish: ModelWish): Promise<Model | undefined> {
  const { settings } = await loadSettings(context);
  const choice = modelChoice(settings, 'casting', wish);
  const model = await context.model(choice);
  try {
    await model.ready();
    return model;
  } catch (error) {
    if (error instanceof TroupeError && error.code === 'no_model' && choice.provider === undefined) return undefined;
    throw error;
  }
}

/** What goes wrong with a call, as whoever asked for a choice sees it. */
export function modelFailed(error: unknown): never {
  if (!(error instanceof TroupeError) || error.code !== 'bad_model_answer') throw error;
  throw new TroupeError('model_run_failed', { what: error.message, details: error.details, cause: error });
}
