import type { Client } from './plan.js';

/** A folder in the home folder in which a client stores sessions, caches and credentials. */
export interface ClientFolder {
  /** Relative to the home folder. */
  readonly folder: string;
  /** Environment variable that moves the folder, if the client has one. */
  readonly variable?: string;
  /** Its entries that configure every later start of the client: instructions, hooks, extensions. */
  readonly settings: readonly string[];
}

/** Folders that each client must be able to write, and single files; all relative to the home folder. */
export const CLIENT_HOMES: Readonly<
  Record<Client, { folders: readonly [ClientFolder, ...ClientFolder[]]; files: readonly string[] }>
> = {
  claude: {
    folders: [
      {
        folder: '.claude',
        variable: 'CLAUDE_CONFIG_DIR',
        settings: [
          ...['settings.json', 'CLAUDE.md', 'agents', 'commands', 'hooks', 'output-styles'],
          ...['plugins', 'rules', 'skills'],
        ],
      },
    ],
    files: ['.claude.json'],
  },
  codex: {
    folders: [
      {
        folder: '.codex',
        variable: 'CODEX_HOME',
        settings: [
          ...['config.toml', 'AGENTS.md', 'AGENTS.override.md', 'hooks.json', 'hooks', 'plugins', 'prompts', 'rules'],
          'skills',
        ],
      },
    ],
    files: [],
  },
  gemini: {
    folders: [
      {
        folder: '.gemini',
        settings: ['settings.json', 'GEMINI.md', 'commands', 'extensions', 'policies', '.env'],
      },
    ],
    files: [],
  },
  opencode: {
    folders: [
      { folder: '.local/share/opencode', settings: [] },
      { folder: '.local/state/opencode', settings: [] },
      {
        folder: '.config/opencode',
        settings: [
          ...['opencode.json', 'config.json', 'AGENTS.md', 'agent', 'agents', 'command', 'commands'],
          ...['plugin', 'plugins', 'skill', 'skills', 'tool', 'tools'],
        ],
      },
    ],
    files: [],
  },
  qwen: {
    folders: [
      {
        folder: '.qwen',
        variable: 'QWEN_HOME',
        settings: ['settings.json', 'QWEN.md', 'agents', 'commands', 'extensions', 'skills', '.env'],
      },
    ],
    files: [],
  },
  pi: {
    folders: [
      {
        folder: '.pi/agent',
        variable: 'PI_CODING_AGENT_DIR',
        settings: [
          'settings.json',
          'models.json',
          'AGENTS.md',
          'SYSTEM.md',
          'extensions',
          'prompts',
          'skills',
          'tools',
        ],
      },
    ],
    files: [],
  },
};
