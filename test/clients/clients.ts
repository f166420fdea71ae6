import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Client } from '#core/runs/plan.js';

export interface Pinned {
  readonly name: Client;
  readonly version: string;
  readonly package: string;
  readonly licence: string;
  readonly model: string;
  readonly provider?: string;
  /** Path of the person's installation; otherwise the client is installed from the registry. */
  readonly program?: string;
  /** Points the client at the scripted model and gives it a key. Returns the environment of its person. */
  configure(home: string, port: number): Record<string, string>;
  /** Maximum duration of a request that is refused or broken, before the client is ended. */
  readonly boundMs: number;
}

const KEY = 'sk-scripted-not-a-secret';

function file(home: string, name: string, text: string): string {
  const full = path.join(home, name);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, text);
  return path.dirname(full);
}

/** The open-source clients at the versions that the executors were written for. Each is used under its own licence. */
export const PINNED: readonly Pinned[] = [
  {
    name: 'codex',
    version: '0.169.0',
    package: '@openai/codex',
    licence: 'Apache-2.0',
    model: 'gpt-5.1-codex',
    provider: 'scripted',
    boundMs: 20_000,
    configure: (home, port) => ({
      OPENAI_API_KEY: KEY,
      CODEX_HOME: file(
        home,
        'codex/config.toml',
        [
          'model_provider = "scripted"',
          'analytics.enabled = false',
          'features.plugins = false',
          'features.apps = false',
          '[model_providers.scripted]',
          'name = "scripted"',
          `base_url = "http://127.0.0.1:${port}/v1"`,
          'env_key = "OPENAI_API_KEY"',
          'wire_api = "responses"',
          'request_max_retries = 1',
          'stream_max_retries = 1',
          '',
        ].join('\n'),
      ),
    }),
  },
  {
    name: 'pi',
    version: '0.73.1',
    package: '@mariozechner/pi-coding-agent',
    licence: 'MIT',
    model: 'm1',
    provider: 'scripted',
    boundMs: 40_000,
    configure: (home, port) => {
      const model = { id: 'm1', contextWindow: 100_000, maxTokens: 4_000 };
      const cost = { input: 10, output: 20, cacheRead: 1, cacheWrite: 0 };
      const api = { baseUrl: `http://127.0.0.1:${port}/v1`, api: 'openai-completions', apiKey: KEY };
      const models = { providers: { scripted: { ...api, models: [{ ...model, cost }] } } };
      return { PI_CODING_AGENT_DIR: file(home, 'pi/models.json', JSON.stringify(models)) };
    },
  },
  {
    name: 'gemini',
    version: '0.61.0',
    package: '@google/gemini-cli',
    licence: 'Apache-2.0',
    model: 'gemini-2.5-pro',
    boundMs: 30_000,
    configure: (home, port) => {
      file(home, '.gemini/settings.json', JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }));
      return { GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}` };
    },
  },
  {
    name: 'qwen',
    version: '0.24.4',
    package: '@qwen-code/qwen-code',
    licence: 'Apache-2.0',
    model: 'm1',
    boundMs: 30_000,
    configure: (_home, port) => ({
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      OPENAI_MODEL: 'm1',
    }),
  },
  {
    name: 'opencode',
    version: '1.18.33',
    package: 'opencode-ai',
    licence: 'MIT',
    model: 'm1',
    provider: 'scripted',
    boundMs: 30_000,
    configure: (home, port) => {
      const options = { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: KEY };
      const cost = { input: 10, output: 20, cache_read: 1 };
      const models = { m1: { name: 'm1', tool_call: true, cost, limit: { context: 100_000, output: 4_000 } } };
      const scripted = { npm: '@ai-sdk/openai-compatible', name: 'scripted', options, models };
      file(home, '.config/opencode/opencode.json', JSON.stringify({ provider: { scripted } }));
      return { XDG_CONFIG_HOME: path.join(home, '.config'), XDG_DATA_HOME: path.join(home, '.local/share') };
    },
  },
];

/** Claude Code is proprietary and never installed by the suite: it takes part if the person names its program. */
export function ownClients(environment: NodeJS.ProcessEnv): readonly Pinned[] {
  const program = environment['TROUPE_CLAUDE'];
  if (program === undefined || program === '') return [];
  const version = execFileSync(program, ['--version'], { encoding: 'utf8' }).split(' ')[0] ?? '';
  return [
    {
      name: 'claude',
      version,
      package: '@anthropic-ai/claude-code',
      licence: 'proprietary',
      model: 'claude-sonnet-4-5',
      program,
      boundMs: 60_000,
      configure: (home, port) => ({
        ANTHROPIC_API_KEY: KEY,
        ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
        CLAUDE_CONFIG_DIR: file(home, 'claude/settings.json', '{}'),
      }),
    },
  ];
}

/** Folder of a client by version, outside of the repository. Clients never become dependencies of the project. */
function folderOf({ name, version }: Pinned): string {
  return path.join(cacheFolder(), 'clients', `${name}@${version}`);
}

/** Not in the system's temporary folder: careful clients do not accept settings from world-writable places. */
export function worldsFolder(): string {
  const folder = path.join(cacheFolder(), 'worlds');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

function cacheFolder(): string {
  return path.join(process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache'), 'troupe');
}

/** Returns the client's program; installs it from the registry if it is missing. */
export function installed(client: Pinned): string {
  if (client.program !== undefined) return client.program;
  const folder = folderOf(client);
  const program = path.join(folder, 'node_modules', '.bin', client.name);
  if (!existsSync(program)) {
    process.stderr.write(`Installing ${client.package}@${client.version} (${client.licence}) into ${folder} …\n`);
    mkdirSync(folder, { recursive: true });
    const words = ['install', '--prefix', folder, '--no-audit', '--no-fund', `${client.package}@${client.version}`];
    execFileSync('npm', words, { cwd: folder, stdio: ['ignore', 2, 2] });
  }
  return program;
}
