import type { ModelProvider } from '#core/settings/model-providers.js';
import type { Settings } from '#core/settings/schema.js';

/** What a model is asked for. */
export type ModelPurpose = 'casting' | 'evaluator' | 'flip_inference' | 'flip_comparison';

/** Whom to ask, as far as somebody has said it; the rest is settled by the keys there are. */
export interface ModelChoice {
  readonly provider?: ModelProvider | undefined;
  readonly model?: string | undefined;
  /** Of `local`. */
  readonly url?: string | undefined;
  readonly keyVariable?: string | undefined;
}

/** The word on the command line, else the setting for this purpose, else that of the coordinator. */
export function modelChoice(
  settings: Settings,
  purpose: ModelPurpose,
  said: { readonly provider?: ModelProvider | undefined; readonly model?: string | undefined } = {},
): ModelChoice {
  const { agency, coordinator, models } = settings;
  const provider = said.provider ?? agency[`${purpose}_provider`] ?? coordinator.provider;
  // A model is a name at one provider: that of another is not looked up here.
  const ofPurpose = said.provider === undefined || said.provider === agency[`${purpose}_provider`];
  const ofCoordinator = provider === coordinator.provider;
  const model =
    said.model ??
    (ofPurpose ? agency[`${purpose}_model`] : undefined) ??
    (ofCoordinator && provider !== undefined ? coordinator.model : undefined);
  return {
    provider,
    model,
    ...(provider === 'local' ? { url: models.local_url, keyVariable: models.local_key_env } : {}),
  };
}
