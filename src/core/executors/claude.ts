import { checkPlan, option, ownCommands, resumed } from '#core/executors/checked-plan.js';
import { conversationReader } from '#core/executors/conversation.js';
import type { Executor, ExecutorPlan } from '#core/executors/plan.js';
import { AWS, AZURE, GOOGLE_CLOUD, type Passes } from '#core/executors/variables.js';

const READING = ['Read', 'Glob', 'Grep'];
const WORKING = [
  'Edit',
  'Write',
  'NotebookEdit',
  'Bash',
  'WebFetch',
  'WebSearch',
  'Task',
  'Agent',
  'Skill',
  'TodoWrite',
];
/** Every tool it brings along. */
export const CLAUDE_TOOLS = [...READING, ...WORKING];
/** What it may know of our environment beside what every program may. */
export const CLAUDE_PASSES: Passes = [
  ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL', 'CLAUDE_CODE_OAUTH_TOKEN'],
  ...['ANTHROPIC_CUSTOM_HEADERS', 'ANTHROPIC_BETAS', 'CLAUDE_CONFIG_DIR', 'API_TIMEOUT_MS'],
  ...['CLAUDE_CODE_API_KEY_HELPER_TTL_MS', 'CLAUDE_CODE_CLIENT_CERT', 'CLAUDE_CODE_CLIENT_KEY'],
  ...['CLAUDE_CODE_CLIENT_KEY_PASSPHRASE', 'CLAUDE_CODE_CERT_STORE'],
  ...['ANTHROPIC_MODEL', 'ANTHROPIC_SMALL_FAST_MODEL', 'ANTHROPIC_DEFAULT_*', 'CLAUDE_CODE_SUBAGENT_MODEL'],
  ...['CLAUDE_CODE_MAX_OUTPUT_TOKENS', 'MAX_THINKING_TOKENS', 'CLAUDE_CODE_EFFORT_LEVEL', 'MAX_MCP_OUTPUT_TOKENS'],
  ...['MCP_TIMEOUT', 'MCP_TOOL_TIMEOUT', 'BASH_DEFAULT_TIMEOUT_MS', 'BASH_MAX_TIMEOUT_MS', 'BASH_MAX_OUTPUT_LENGTH'],
  ...['DISABLE_PROMPT_CACHING*', 'CLAUDE_CODE_SKIP_*', 'CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS'],
  {
    when: ['CLAUDE_CODE_USE_BEDROCK', 'AWS_BEARER_TOKEN_BEDROCK'],
    names: [
      ...['CLAUDE_CODE_USE_BEDROCK', 'ANTHROPIC_BEDROCK_BASE_URL', 'ANTHROPIC_SMALL_FAST_MODEL_AWS_REGION'],
      ...AWS,
    ],
  },
  {
    when: ['CLAUDE_CODE_USE_VERTEX'],
    names: [
      ...['CLAUDE_CODE_USE_VERTEX', 'ANTHROPIC_VERTEX_BASE_URL', 'ANTHROPIC_VERTEX_PROJECT_ID', 'VERTEX_REGION_*'],
      ...GOOGLE_CLOUD,
    ],
  },
  {
    when: ['CLAUDE_CODE_USE_FOUNDRY'],
    names: [
      ...['CLAUDE_CODE_USE_FOUNDRY', 'ANTHROPIC_FOUNDRY_API_KEY', 'ANTHROPIC_FOUNDRY_BASE_URL'],
      ...['ANTHROPIC_FOUNDRY_RESOURCE', ...AZURE],
    ],
  },
];
/** It answers, and does nothing besides. */
export const CLAUDE_QUIET = {
  CLAUDE_CODE_MAX_RETRIES: '3',
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
};
const TOOLS_FILE = 'claude-tools.json';

/**
 * Its permission mode denies whatever is not listed and asks nobody; it is never started with its checks off, which the
 * lists make needless. Denied tools are named too: reading is free within the folder otherwise.
 */
export const claude: Executor = {
  name: 'claude',
  sessions: 'chosen',
  silentEnd: 'ask',
  human: false,
  actsOn: [],
  rules: [['CLAUDE.md', '.claude/CLAUDE.md', 'AGENTS.md']],
  install: 'npm install -g @anthropic-ai/claude-code',
  prepare(plan) {
    checkPlan(plan);
    const session = resumed(plan);
    const { allowed, denied } = lists(plan);
    const budget = plan.budgetUsd === undefined ? undefined : downToCents(plan.budgetUsd);
    return {
      program: 'claude',
      args: [
        ...['--print', '--verbose', '--output-format', 'stream-json'],
        ...option('--model', plan.model),
        ...(session === undefined ? option('--session-id', plan.sessionId) : ['--resume', session]),
        ...option('--max-budget-usd', budget),
        ...(plan.projectSettings === true ? [] : ['--setting-sources', 'user']),
        ...['--strict-mcp-config', '--mcp-config', `${plan.runFolder}/${TOOLS_FILE}`],
        ...['--permission-mode', 'dontAsk', '--allowedTools', allowed.join(',')],
        ...(denied.length === 0 ? [] : ['--disallowedTools', denied.join(',')]),
      ],
      environment: CLAUDE_QUIET,
      passes: CLAUDE_PASSES,
      folder: plan.folder,
      stdin: plan.prompt,
      files: [{ path: TOOLS_FILE, content: toolsFile(plan) }],
      resume: session !== undefined,
    };
  },
  reader: (before) => conversationReader({ cumulative: 'cost', before }),
};

/** In hundredths of a cent, never more than the amount. */
function downToCents(amount: number): string {
  return (Math.floor(amount * 1e4 + 1e-6) / 1e4).toFixed(4);
}

function lists(plan: ExecutorPlan): { allowed: string[]; denied: string[] } {
  const server = plan.tools === undefined ? [] : ['mcp__troupe'];
  const own = [...ownCommands(plan).map((command) => `Bash(${command}:*)`), ...server];
  switch (plan.mode) {
    case 'full':
      return { allowed: [...READING, ...WORKING, ...server], denied: [] };
    case 'light':
      return { allowed: [...READING, ...own], denied: WORKING.filter((tool) => tool !== 'Bash') };
    case 'bare':
      return { allowed: own, denied: CLAUDE_TOOLS.filter((tool) => tool !== 'Bash') };
  }
}

/** Ours or none: with it servers that a project or a person set up elsewhere are left out. */
function toolsFile({ tools }: ExecutorPlan): string {
  const troupe = tools && { type: 'stdio', command: tools.command, args: tools.args, alwaysLoad: true };
  return `${JSON.stringify({ mcpServers: troupe ? { troupe } : {} })}\n`;
}
