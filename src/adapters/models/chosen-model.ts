import type { ModelChoice } from '#core/settings/model-choice.js';
import type { ModelProvider } from '#core/settings/schema.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { Model } from '#ports/model.js';
import type { Programs } from '#ports/programs.js';
import { RecordedModel } from './recorded-model.js';
import { SERVICE_KEYS, type ServiceName } from './service-keys.js';

interface Parts {
  readonly programs: Programs;
  /** Environment variables passed to any program. */
  readonly shared: Readonly<Record<string, string>>;
  /** The person's environment, the only source of keys. */
  readonly ours: NodeJS.ProcessEnv;
  /** Folder for records of calls; absolute. */
  readonly folder: string;
  readonly clock: Clock;
}

/** Order in which providers are selected by their key, if none is configured. */
const PROVIDER_ORDER = ['anthropic', 'openai', 'openrouter'] as const satisfies readonly ServiceName[];
const SCRIPT = 'TROUPE_MODEL_SCRIPT';

/** The configured model, which records each call. If there is none, its `ready` rejects. */
export async function chosenModel(choice: ModelChoice, parts: Parts): Promise<Model> {
  const { folder, clock, ours } = parts;
  const byKey = PROVIDER_ORDER.find((name) => (ours[SERVICE_KEYS[name]] ?? '') !== '');
  const provider = choice.provider ?? byKey ?? (choice.orClient ? 'claude-cli' : undefined);
  const keys = [...Object.values(SERVICE_KEYS), ...(choice.keyVariable === undefined ? [] : [choice.keyVariable])];
  const secrets = keys.flatMap((key) => ours[key] ?? []);
  return new RecordedModel({ model: await modelOf(provider, choice, parts), folder, clock, secrets });
}

async function modelOf(provider: ModelProvider | undefined, choice: ModelChoice, parts: Parts): Promise<Model> {
  switch (provider) {
    case undefined:
      return new NoModel();
    case 'claude-cli': {
      const { ClaudeModel } = await import('./claude-model.js');
      return new ClaudeModel({ ...parts, model: choice.model ?? choice.usual });
    }
    case 'scripted': {
      const { ScriptFile } = await import('./scripted-model.js');
      return new ScriptFile(parts.ours[SCRIPT], SCRIPT);
    }
    default: {
      const { SdkModel } = await import('./sdk-model.js');
      const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
      return new SdkModel({ ...choice, service: provider, environment: parts.ours, pause, chance: Math.random });
    }
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
