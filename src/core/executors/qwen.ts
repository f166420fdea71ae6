import { checkPlan, option, ownCommands, resumed } from '#core/executors/checked-plan.js';
import { conversationReader } from '#core/executors/conversation.js';
import type { Executor, ExecutorPlan } from '#core/executors/plan.js';

const SETTINGS_FILE = 'qwen-settings.json';
/** No project has it: the rules of the project stand in the prompt. */
const NO_FILE = '.troupe-reads-none.md';
/** What one would expect in an unattended run: the shell is allowed by name, its checks stay on. */
const SHELL = 'run_shell_command';

export const qwen: Executor = {
  name: 'qwen',
  sessions: 'chosen',
  silentEnd: 'ask',
  human: false,
  actsOn: [],
  rules: [['QWEN.md'], ['AGENTS.md']],
  install: 'npm install -g @qwen-code/qwen-code',
  prepare(plan) {
    checkPlan(plan);
    const session = resumed(plan);
    return {
      program: 'qwen',
      args: [
        ...['--auth-type', plan.provider === 'anthropic' ? 'anthropic' : 'openai'],
        ...option('-m', plan.model),
        ...['--output-format', 'stream-json', ...permissions(plan)],
        ...(session === undefined ? option('--session-id', plan.sessionId) : ['--resume', session]),
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
      folder: plan.folder,
      stdin: plan.prompt,
      files: [{ path: SETTINGS_FILE, content: `${JSON.stringify(settings(plan))}\n` }],
      resume: session !== undefined,
    };
  },
  reader: (before) => conversationReader({ cumulative: 'tokens', before, inputHoldsCache: true }),
};

function permissions(plan: ExecutorPlan): string[] {
  if (plan.mode === 'light') return ['--approval-mode', 'plan'];
  if (plan.mode === 'bare') {
    const own = ownCommands(plan).flatMap((command) => ['--allowed-tools', `${SHELL}(${command})`]);
    return ['--approval-mode', 'default', ...own];
  }
  if (plan.allowUnsafe) return ['--approval-mode', 'yolo'];
  return ['--approval-mode', 'auto-edit', '--allowed-tools', SHELL];
}

/** Settings above those of the person and the project, so that a repository brings neither hooks nor servers. */
function settings({ tools, projectSettings }: ExecutorPlan): object {
  const troupe = tools && { command: tools.command, args: tools.args, trust: true };
  return {
    general: { enableAutoUpdate: false },
    privacy: { usageStatisticsEnabled: false },
    // Both would ask the model more after the answer was given.
    memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
    tools: { toolSearch: { enabled: false } },
    context: { fileName: [NO_FILE] },
    mcpServers: troupe ? { troupe } : {},
    ...(projectSettings === true ? {} : { disableAllHooks: true, mcp: { allowed: ['troupe'] } }),
  };
}
