/** What answers questions in text; `claude-cli` is the installed program, `scripted` a file of answers. */
export const MODEL_PROVIDERS = ['anthropic', 'openai', 'openrouter', 'local', 'claude-cli', 'scripted'] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];
