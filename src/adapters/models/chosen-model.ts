import type { ModelChoice } from '#core/settings/model-choice.js';
import type { ModelProvider } from '#core/settings/model-providers.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { Model } from '#ports/model.js';
import type { Programs } from '#ports/programs.js';
import { RecordedModel } from './recorded-model.js';

interface Parts {
  readonly programs: Programs;
  /** What any program may know of ours. */
  readonly shared: Readonly<Record<string, string>>;
  /** The person's environment: the one place keys are taken from. */
  readonly ours: NodeJS.ProcessEnv;
  /** Where calls are recorded; absolute. */
  readonly folder: string;
  readonly clock: Clock;
}

/** Whose key is looked for, in this order, when nobody has named a provider. */
const KEYS = [['anthropic', 'ANTHROPIC_API_KEY']] as const satisfies readonly (readonly [ModelProvider, string])[];
const SCRIPT = 'TROUPE_MODEL_SCRIPT';

/** The model of a choice, every call of it on record. That there is none is said by its `ready`. */
export async function chosenModel(choice: ModelChoice, parts: Parts): Promise<Model> {
  const provider = choice.provider ?? KEYS.find(([, key]) => (parts.ours[key] ?? '') !== '')?.[0];
  const secrets = KEYS.flatMap(([, key]) => parts.ours[key] ?? []);
  const { folder, clock } = parts;
  return new RecordedModel({ model: await modelOf(provider, choice, parts), folder, clock, secrets });
}

async function modelOf(provider: ModelProvider | undefined, { model }: ModelChoice, parts: Parts): Promise<Model> {
  switch (provider) {
    case 'claude-cli': {
      const { ClaudeModel } = await import('./claude-model.js');
      return new ClaudeModel({ ...parts, model });
    }
    case 'scripted': {
      const { ScriptFile } = await import('./script-file.js');
      return new ScriptFile(parts.ours[SCRIPT], SCRIPT);
    }
    default:
      return new NoModel();
  }
}

class NoModel implements Model {
  async ready(): Promise<void> {
    throw new TroupeError('no_model');
  }

  async complete(): Promise<never> {
    throw new TroupeError('no_model');
  }
}
