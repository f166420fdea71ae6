import { expect } from 'vitest';
import { EXECUTORS } from '#core/runs/executor-table.js';
import { CLIENTS, type Client } from '#core/runs/plan.js';
import { namesToPass, passedFrom } from '#core/runs/variables.js';
import { verifies } from '../../verifies.js';
import { planOf } from './plans.js';

const AWS = ['AWS_REGION', 'AWS_PROFILE', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];
const GOOGLE = ['GOOGLE_APPLICATION_CREDENTIALS', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION'];
const GATEWAY = ['ANTHROPIC_BASE_URL', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_CUSTOM_HEADERS'];

/** What people set for the providers of each client, by the documents of these clients. */
const NEEDS: Readonly<Record<Client, readonly (readonly string[])[]>> = {
  claude: [
    [...GATEWAY, 'ANTHROPIC_MODEL', 'ANTHROPIC_DEFAULT_SONNET_MODEL', 'CLAUDE_CODE_MAX_OUTPUT_TOKENS'],
    ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_SKIP_BEDROCK_AUTH', 'ANTHROPIC_BEDROCK_BASE_URL', ...AWS],
    ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_REGION'],
    ['CLAUDE_CODE_USE_VERTEX', 'ANTHROPIC_VERTEX_PROJECT_ID', 'CLOUD_ML_REGION', 'VERTEX_REGION_CLAUDE_X', ...GOOGLE],
    ['CLAUDE_CODE_USE_FOUNDRY', 'ANTHROPIC_FOUNDRY_API_KEY', 'ANTHROPIC_FOUNDRY_RESOURCE', 'AZURE_TENANT_ID'],
  ],
  codex: [
    ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_ORGANIZATION', 'AZURE_OPENAI_API_KEY'],
    ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_REGION'],
  ],
  gemini: [
    ['GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL', 'GEMINI_CLI_CUSTOM_HEADERS'],
    ['GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_VERTEX_BASE_URL', ...GOOGLE],
  ],
  opencode: [['ANTHROPIC_API_KEY', 'GROQ_API_KEY', 'AZURE_RESOURCE_NAME', 'OPENAI_BASE_URL'], AWS, GOOGLE],
  qwen: [['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'DASHSCOPE_API_KEY', 'QWEN_CODE_MAX_OUTPUT_TOKENS']],
  pi: [['ANTHROPIC_API_KEY', 'AZURE_OPENAI_BASE_URL', 'AI_GATEWAY_API_KEY'], AWS, GOOGLE],
};
const STRANGE = { GITHUB_TOKEN: 'x', WG_RUN_TOKEN: 'x', DATABASE_URL: 'x', LD_PRELOAD: 'x' };

verifies('hold.env', 'each client gets what its providers need, and nothing strange', () => {
  for (const client of CLIENTS) {
    const { passes } = EXECUTORS[client].prepare(planOf({ model: undefined }));
    for (const names of NEEDS[client]) {
      const environment = Object.fromEntries(names.map((name) => [name, `the ${name}`]));
      expect(passedFrom(passes, { ...environment, ...STRANGE }), client).toEqual(environment);
    }
  }
});

verifies('hold.env', 'the keys of a cloud go only to who works with that cloud', () => {
  const environment = Object.fromEntries([...AWS, ...GOOGLE].map((name) => [name, 'x']));
  const given = (client: Client, model: string | undefined) =>
    Object.keys(passedFrom(EXECUTORS[client].prepare(planOf({ model })).passes, environment));
  for (const client of ['claude', 'codex', 'qwen'] as const) expect(given(client, 'm1'), client).toEqual([]);
  for (const client of ['opencode', 'pi'] as const) {
    expect(given(client, 'anthropic/m1'), client).toEqual([]);
    expect(given(client, 'amazon-bedrock/m1').sort(), client).toEqual([...AWS].sort());
    expect(given(client, 'google-vertex/m1').sort(), client).toEqual([...GOOGLE].sort());
  }
});

verifies('hold.env', 'names that a person adds are names, and none that a run has of its own', () => {
  expect(namesToPass(undefined)).toEqual([]);
  expect(namesToPass(['CORP_GATEWAY', '_x1'])).toEqual(['CORP_GATEWAY', '_x1']);
  const refused = [
    'WG_RUN_TOKEN',
    'TROUPE_BIN',
    'IN_X',
    'BASH_ENV',
    'SHELLOPTS',
    'UID',
    'A=b',
    'a b',
    '',
    '1A',
    'A\nB',
    'A*',
    7,
  ];
  for (const name of refused) expect(() => namesToPass([name]), String(name)).toThrow('executors.pass_env');
  for (const list of ['CORP', { A: 1 }, Array.from({ length: 101 }, () => 'A')])
    expect(() => namesToPass(list)).toThrow('executors.pass_env');
});
