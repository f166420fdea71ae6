import type { ModelProvider } from '#core/settings/schema.js';

export type ServiceName = Extract<ModelProvider, 'anthropic' | 'openai' | 'openrouter' | 'local'>;

/** Environment variables that hold API keys, their only source. */
export const SERVICE_KEYS: Readonly<Record<ServiceName, string>> = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  openrouter: 'OPENROUTER_API_KEY',
  local: 'TROUPE_LOCAL_MODEL_KEY',
};
