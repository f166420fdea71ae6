import type { Settings } from '#core/settings/schema.js';
import type { ModelProvider } from './schema.js';

interface PurposeTerms {
  /**
   * Prefix of the settings for the model, `agency.NAME_model` and `agency.NAME_provider`; by default the coordinator's
   * settings.
   */
  readonly keys?:
    | 'casting'
    | 'evaluator'
    | 'evolver'
    | 'flip_inference'
    | 'flip_comparison'
    | 'flip_verification'
    | 'assigner';
  /** Default model if none is configured and the provider has it, for questions that are not small. */
  readonly usual?: string;
  /** Whether the installed `claude` is the fallback without a setting or a key; otherwise rules replace the model. */
  readonly orClient: boolean;
}

/** Purposes of questions to models. */
const PURPOSES = {
  casting: { keys: 'casting', orClient: false },
  blueprint: { keys: 'casting', orClient: false },
  workflow: { keys: 'casting', orClient: false },
  assigner: { keys: 'assigner', orClient: false },
  evaluator: { keys: 'evaluator', orClient: true },
  evolver: { keys: 'evolver', usual: 'sonnet', orClient: true },
  replay: { keys: 'evolver', orClient: true },
  flip_inference: { keys: 'flip_inference', usual: 'sonnet', orClient: true },
  flip_comparison: { keys: 'flip_comparison', usual: 'sonnet', orClient: true },
  flip_verification: { keys: 'flip_verification', usual: 'opus', orClient: true },
  triage: { orClient: true },
  placing: { orClient: true },
  functions: { orClient: true },
  compact: { orClient: true },
  team_plan: { orClient: true },
  team_name: { orClient: true },
} as const satisfies Record<string, PurposeTerms>;

export type ModelPurpose = keyof typeof PURPOSES;
export const MODEL_PURPOSES = Object.keys(PURPOSES) as readonly ModelPurpose[];

/** Configured part of the model choice; the rest depends on available keys. */
export interface ModelChoice {
  readonly provider?: ModelProvider | undefined;
  readonly model?: string | undefined;
  /** Short name of a default model, used only at a provider that has it. */
  readonly usual?: string | undefined;
  /** Whether the installed `claude` is the fallback without a configured provider or a key. */
  readonly orClient: boolean;
  /** For the provider `local`. */
  readonly url?: string | undefined;
  readonly keyVariable?: string | undefined;
}

/** Chooses by the command line, otherwise by the setting for this purpose, otherwise by the coordinator's setting. */
export function modelChoice(
  settings: Settings,
  purpose: ModelPurpose,
  requested: { readonly provider?: ModelProvider | undefined; readonly model?: string | undefined } = {},
): ModelChoice {
  const { agency, coordinator, models } = settings;
  const { keys, usual, orClient }: PurposeTerms = PURPOSES[purpose];
  const ofKeys = keys === undefined ? {} : { provider: agency[`${keys}_provider`], model: agency[`${keys}_model`] };
  // A purpose without its own settings is small: the installed client handles it, even if keys are available.
  const own = keys === undefined ? 'claude-cli' : undefined;
  const provider = requested.provider ?? ofKeys.provider ?? coordinator.provider ?? own;
  // A model name is valid at one provider only, so the model of another provider is ignored.
  const ofPurpose = requested.provider === undefined || requested.provider === ofKeys.provider;
  const ofCoordinator = provider === coordinator.provider;
  const model =
    requested.model ??
    (ofPurpose ? ofKeys.model : undefined) ??
    (ofCoordinator && provider !== undefined ? coordinator.model : undefined);
  return {
    provider,
    model,
    orClient,
    ...(model === undefined && usual !== undefined ? { usual } : {}),
    ...(provider === 'local' ? { url: models.local_url, keyVariable: models.local_key_env } : {}),
  };
}
