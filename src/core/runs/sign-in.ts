import type { Client } from './plan.js';

/** A file in the home folder, or in the folder named by the variable `moved` if that is set. */
export interface PersonalFile {
  readonly folder: string;
  readonly name: string;
  readonly moved?: string;
}

/** Credentials of a client. Keys are never read: only their presence is checked. */
export interface SignIn {
  /** Alternative variables; one is enough. */
  readonly variables: readonly string[];
  /** File that its own login creates. */
  readonly file: PersonalFile;
  /** Instructions for logging in. */
  readonly how: string;
}

/** Detected credentials. A key may also be in a keychain or in the client's own settings, which are not checked. */
export const SIGNED_IN = ['key', 'login', 'not-seen'] as const;
export type SignedIn = (typeof SIGNED_IN)[number];

/** Text for people about detected credentials. */
export const SEEN: Readonly<Record<SignedIn, string>> = {
  key: 'a key is set',
  login: 'logged in',
  'not-seen': 'no key or login found',
};

const PROVIDERS = [
  ...['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'GEMINI_API_KEY', 'GROQ_API_KEY', 'MISTRAL_API_KEY'],
  ...['XAI_API_KEY', 'CEREBRAS_API_KEY', 'MINIMAX_API_KEY', 'OPENCODE_API_KEY', 'HF_TOKEN'],
];

export const SIGN_IN: Readonly<Record<Client, SignIn>> = {
  claude: {
    variables: [
      ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
      ...['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY', 'AWS_BEARER_TOKEN_BEDROCK'],
    ],
    file: { folder: '.claude', name: '.credentials.json', moved: 'CLAUDE_CONFIG_DIR' },
    how: 'Start `claude` once and type /login.',
  },
  codex: {
    variables: ['OPENAI_API_KEY', 'CODEX_API_KEY', 'CODEX_ACCESS_TOKEN', 'AZURE_OPENAI_API_KEY', 'OPENROUTER_API_KEY'],
    file: { folder: '.codex', name: 'auth.json', moved: 'CODEX_HOME' },
    how: 'Run `codex login`.',
  },
  gemini: {
    variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_CLOUD_ACCESS_TOKEN'],
    file: { folder: '.gemini', name: 'oauth_creds.json' },
    how: 'Start `gemini` once and log in.',
  },
  opencode: {
    variables: PROVIDERS,
    file: { folder: '.local/share/opencode', name: 'auth.json' },
    how: 'Run `opencode auth login`.',
  },
  qwen: {
    variables: [
      ...['OPENAI_API_KEY', 'DASHSCOPE_API_KEY', 'BAILIAN_CODING_PLAN_API_KEY', 'ANTHROPIC_API_KEY'],
      ...['OPENROUTER_API_KEY', 'MODELSCOPE_API_KEY'],
    ],
    file: { folder: '.qwen', name: 'oauth_creds.json', moved: 'QWEN_HOME' },
    how: 'Start `qwen` once and type /auth.',
  },
  pi: {
    variables: [...PROVIDERS, 'ANTHROPIC_OAUTH_TOKEN', 'KIMI_API_KEY', 'ZAI_API_KEY', 'AI_GATEWAY_API_KEY'],
    file: { folder: '.pi/agent', name: 'auth.json', moved: 'PI_CODING_AGENT_DIR' },
    how: 'Start `pi` once and type /login.',
  },
};
