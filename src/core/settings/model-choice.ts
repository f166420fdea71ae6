import type { ModelProvider } from '#core/settings/model-providers.js';
import type { Settings } from '#core/settings/schema.js';

/** What a model is asked for. */
export type ModelPurpose =
  | 'casting'
  | 'evaluator'
  | 'flip_inference'
  | 'flip_comparison'
  | 'flip_verification'
  | 'assigner';

/** Which model is asked where nobody says one and the provider has it: others are asked for what is small. */
const USUAL: Partial<Record<ModelPurpose, string>> = {
  flip_inference: 'sonnet',
  flip_comparison: 'sonnet',
  flip_verification: 'opus',
};

/** Whom to ask, as far as somebody has said it; the rest is settled by the keys there are. */
export interface ModelChoice {
  readonly provider?: ModelProvider | undefined;
  readonly model?: string | undefined;
  /** A short name that counts where none is said, and only at a provider that knows it. */
  readonly usual?: string | undefined;
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
    ...(model === undefined && USUAL[purpose] !== undefined ? { usual: USUAL[purpose] } : {}),
    ...(provider === 'local' ? { url: models.local_url, keyVariable: models.local_key_env } : {}),
  };
}
