import type { Settings } from '#core/settings/schema.js';
import type { ModelProvider } from './schema.js';

interface PurposeTerms {
  /** Which settings name the model, `agency.NAME_model` and `agency.NAME_provider`; without them those of the coordinator do. */
  readonly keys?:
    | 'casting'
    | 'evaluator'
    | 'evolver'
    | 'flip_inference'
    | 'flip_comparison'
    | 'flip_verification'
    | 'assigner';
  /** Which model is asked where nobody says one and the provider has it: others are asked for what is small. */
  readonly usual?: string;
  /** Is the installed `claude` asked where there is neither a setting nor a key? Else rules do without a model. */
  readonly orClient: boolean;
}

/** What models are asked for. */
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

/** Whom to ask, as far as somebody has said it; the rest is settled by the keys there are. */
export interface ModelChoice {
  readonly provider?: ModelProvider | undefined;
  readonly model?: string | undefined;
  /** A short name that counts where none is said, and only at a provider that knows it. */
  readonly usual?: string | undefined;
  /** Is the installed `claude` asked where nobody is named and there is no key? */
  readonly orClient: boolean;
  /** Of `local`. */
  readonly url?: string | undefined;
  readonly keyVariable?: string | undefined;
}

/** The word on the command line, else the setting for this purpose, else that of the coordinator. */
export function modelChoice(
  settings: Settings,
  purpose: ModelPurpose,
  requested: { readonly provider?: ModelProvider | undefined; readonly model?: string | undefined } = {},
): ModelChoice {
  const { agency, coordinator, models } = settings;
  const { keys, usual, orClient }: PurposeTerms = PURPOSES[purpose];
  const ofKeys = keys === undefined ? {} : { provider: agency[`${keys}_provider`], model: agency[`${keys}_model`] };
  // What has no settings of its own is small: the installed client does it, whatever keys lie about.
  const own = keys === undefined ? 'claude-cli' : undefined;
  const provider = requested.provider ?? ofKeys.provider ?? coordinator.provider ?? own;
  // A model is a name at one provider: that of another is not looked up here.
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
