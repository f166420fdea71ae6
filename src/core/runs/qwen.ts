import { conversationReader } from './conversation.js';
import { chosenSession, clientOption, type ExecutorPlan, type Mode, modelClient, NO_RULES_FILE } from './plan.js';

const SETTINGS_FILE = 'qwen-settings.json';
/** The shell is allowed by name, as an unattended run needs it; its checks stay on. */
const SHELL = 'run_shell_command';

export const qwen = modelClient({
  name: 'qwen',
  sessions: 'chosen',
  capsItself: false,
  reports: { by: 'tools', prefix: 'mcp__troupe__' },
  commits: 'shell',
  actsOn: [],
  rules: [['QWEN.md'], ['AGENTS.md']],
  install: 'npm install -g @qwen-code/qwen-code',
  invocation(plan) {
    return {
      args: [
        ...['--auth-type', plan.provider === 'anthropic' ? 'anthropic' : 'openai'],
        ...clientOption('-m', plan.model),
        ...['--output-format', 'stream-json', ...permissions(plan)],
        ...chosenSession(plan),
      ],
      environment: {
        QWEN_CODE_NO_RELAUNCH: 'true',
        QWEN_CODE_SYSTEM_SETTINGS_PATH: `${plan.runFolder}/${SETTINGS_FILE}`,
      },
      passes: [
        ...['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL', 'DASHSCOPE_API_KEY', 'BAILIAN_CODING_PLAN_API_KEY'],
        ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_MODEL', 'OPENROUTER_API_KEY'],
        ...['QWEN_HOME', 'QWEN_MODEL', 'QWEN_CODE_MAX_OUTPUT_TOKENS', 'MODELSCOPE_API_KEY'],
      ],
      files: [{ path: SETTINGS_FILE, content: `${JSON.stringify(settings(plan))}\n` }],
    };
  },
  reader: (before) => conversationReader({ cumulative: 'tokens', before, inputHoldsCache: true }),
});

/** Its planning mode is not used, as the client may leave it by itself. */
function permissions({ mode, allowUnsafe }: ExecutorPlan): string[] {
  if (mode !== 'full') return ['--approval-mode', 'default'];
  return allowUnsafe ? ['--approval-mode', 'yolo'] : ['--approval-mode', 'auto-edit', '--allowed-tools', SHELL];
}

/** Tools that reach beyond the run: other folders, other times, other sessions, people. Disabled in every mode. */
const LEAVING = [
  ...['enter_worktree', 'exit_worktree', 'cron_create', 'cron_delete', 'cron_list', 'loop_wakeup', 'send_message'],
  ...['list_agents', 'ask_user_question', 'enter_plan_mode', 'exit_plan_mode', 'get_goal', 'update_goal', 'workflow'],
  ...['record_artifact', 'report_findings', 'save_memory', 'monitor', 'team_create', 'team_delete'],
];
const WORKING = [
  ...['agent', 'task_stop', 'skill', 'edit', 'write_file', 'notebook_edit', SHELL, 'web_fetch', 'web_search'],
  ...['todo_write', 'lsp', 'read_mcp_resource'],
];
const READING = ['read_file', 'list_directory', 'glob', 'grep_search', 'zoom_image'];

/** Built-in tools disabled per mode; the client has no list of enabled tools. */
const DISABLED_TOOLS: Readonly<Record<Mode, readonly string[]>> = {
  full: LEAVING,
  light: [...LEAVING, ...WORKING],
  bare: [...LEAVING, ...WORKING, ...READING],
};

/** Settings that override those of the person and the project: a repository can add neither hooks nor servers. */
function settings({ mode, tools, projectSettings }: ExecutorPlan): object {
  const troupe = { command: tools.command, args: tools.args, trust: true };
  return {
    general: { enableAutoUpdate: false },
    // By default the client repeats a request for up to an hour after a usage limit. It must end instead, so that the
    // coordinator holds the client and starts others.
    model: { generationConfig: { maxRetries: 0 } },
    privacy: { usageStatisticsEnabled: false },
    // Both would send further requests to the model after its response.
    memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
    tools: { toolSearch: { enabled: false }, disabled: DISABLED_TOOLS[mode] },
    context: { fileName: [NO_RULES_FILE] },
    mcpServers: { troupe },
    ...(projectSettings === true ? {} : { disableAllHooks: true, mcp: { allowed: ['troupe'] } }),
  };
}
