import { safeJson } from '#kernel/json.js';
import { conversationReader } from './conversation.js';
import { chosenSession, clientOption, type ExecutorPlan, modelClient, TOOLS_START_MS } from './plan.js';
import { AWS, AZURE, GOOGLE_CLOUD, type Passes } from './variables.js';

const READING = ['Read', 'Glob', 'Grep'];
const EDITING = ['Edit', 'Write', 'NotebookEdit'];
/** Further tools in full mode; the to-do list has had several names. */
const WORKING = [
  ...['Bash', 'BashOutput', 'KillShell', 'WebFetch', 'WebSearch', 'Task', 'Agent', 'Skill', 'TaskOutput', 'TaskStop'],
  ...['TodoWrite', 'TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate'],
];
/**
 * Tools that reach beyond the run: other folders, other times, other agents, people, the terminal. Denied in every
 * mode.
 */
const ESCAPING_TOOLS = [
  ...['EnterWorktree', 'ExitWorktree', 'ScheduleWakeup', 'CronCreate', 'CronDelete', 'CronList', 'RemoteTrigger'],
  ...[
    'Workflow',
    'Monitor',
    'SendMessage',
    'SendUserMessage',
    'TeamCreate',
    'TeamDelete',
    'PushNotification',
    'Artifact',
  ],
  ...[
    'Projects',
    'REPL',
    'AskUserQuestion',
    'ReportFindings',
    'EnterPlanMode',
    'ExitPlanMode',
    'ShowOnboardingRolePicker',
  ],
];
/** All built-in tools. */
export const CLAUDE_TOOLS = [...READING, ...EDITING, ...WORKING, ...ESCAPING_TOOLS];
/** Variables it gets in addition to those of every program. */
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
/** Reduces activity beyond answering: few retries, no background tasks, no telemetry, no updates. */
export const CLAUDE_QUIET = {
  CLAUDE_CODE_MAX_RETRIES: '3',
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
};
const TOOLS_FILE = 'claude-tools.json';
/** The text of a project must not appear in arguments, and a single argument is too small for many agents. */
const AGENTS_FILE = 'claude-agents.json';
/** Matches all tools of Troupe's MCP server. */
const OURS = 'mcp__troupe';

/**
 * Its permission mode denies every tool that is not listed, without asking. It is never started with its checks off,
 * which the lists make needless. Denied tools are listed too: otherwise reading inside the folder would be allowed.
 */
export const claude = modelClient({
  name: 'claude',
  sessions: 'chosen',
  capsItself: true,
  reports: { by: 'tools', prefix: 'mcp__troupe__' },
  commits: 'shell',
  actsOn: [],
  rules: [['CLAUDE.md', '.claude/CLAUDE.md', 'AGENTS.md']],
  install: 'npm install -g @anthropic-ai/claude-code',
  invocation(plan) {
    const { offered, allowed, denied } = lists(plan);
    const hasRoster = Object.keys(plan.agents).length > 0;
    const budget = plan.budgetUsd === undefined ? undefined : downToCents(plan.budgetUsd);
    return {
      args: [
        ...['--print', '--verbose', '--output-format', 'stream-json'],
        ...clientOption('--model', plan.model),
        ...chosenSession(plan),
        ...clientOption('--max-budget-usd', budget),
        ...(plan.projectSettings === true ? [] : ['--setting-sources', 'user']),
        ...clientOption('--settings', switchedOff(plan)),
        ...['--strict-mcp-config', '--mcp-config', `${plan.runFolder}/${TOOLS_FILE}`],
        ...clientOption('--agents', hasRoster ? `${plan.runFolder}/${AGENTS_FILE}` : undefined),
        ...['--permission-mode', 'dontAsk', '--tools', offered.join(',')],
        ...['--allowedTools', allowed.join(','), '--disallowedTools', denied.join(',')],
      ],
      // By default it continues without an MCP server that has not answered within five seconds.
      environment: { ...CLAUDE_QUIET, MCP_CONNECT_TIMEOUT_MS: String(TOOLS_START_MS) },
      passes: CLAUDE_PASSES,
      files: [
        { path: TOOLS_FILE, content: toolsFile(plan) },
        ...(hasRoster ? [{ path: AGENTS_FILE, content: `${JSON.stringify(plan.agents)}\n` }] : []),
      ],
    };
  },
  reader: (before) => conversationReader({ cumulative: 'cost', before }),
});

/**
 * Settings that switch off hooks and plugins; the settings file cannot override them. A plugin can only be disabled by
 * name.
 */
function switchedOff({ own }: ExecutorPlan): string | undefined {
  if (own.act) return undefined;
  const enabledPlugins = Object.fromEntries(own.parts.plugins.map((name) => [name, false]));
  return safeJson({ disableAllHooks: true, enabledPlugins });
}

/** Formats an amount in US dollars with four decimals, rounded down. */
function downToCents(amount: number): string {
  return (Math.floor(amount * 1e4 + 1e-6) / 1e4).toFixed(4);
}

interface Lists {
  /** Built-in tools that exist for the model at all. */
  readonly offered: readonly string[];
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
}

/**
 * Tool lists of a mode. Tools that are not allowed are denied; reading inside its folder needs no permission and is not
 * listed.
 */
function lists({ mode }: ExecutorPlan): Lists {
  switch (mode) {
    case 'full':
      return {
        offered: [...READING, ...EDITING, ...WORKING],
        allowed: [...WORKING, 'Edit(./**)', OURS],
        denied: [...ESCAPING_TOOLS, 'Bash(git push:*)'],
      };
    case 'light':
      return { offered: READING, allowed: [OURS], denied: [...EDITING, ...WORKING, ...ESCAPING_TOOLS] };
    case 'bare':
      return { offered: [], allowed: [OURS], denied: CLAUDE_TOOLS };
  }
}

/** Configuration with Troupe's server alone: servers that a project or a person configured elsewhere are ignored. */
function toolsFile({ tools }: ExecutorPlan): string {
  const troupe = { type: 'stdio', command: tools.command, args: tools.args, alwaysLoad: true };
  return `${JSON.stringify({ mcpServers: { troupe } })}\n`;
}
