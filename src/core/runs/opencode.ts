import type { JsonObject } from '#kernel/json.js';
import { addUsage, type ExecutorEvent, NO_USAGE, type ProcessExit, type Usage, type Verdict } from './event.js';
import { clientOption, type ExecutorPlan, modelClient, qualifiedModel, TOOLS_START_MS } from './plan.js';
import { type Trouble, troubleIn, troubleOfStatus } from './provider-trouble.js';
import {
  amountAt,
  endReason,
  errorEvent,
  jsonReader,
  objectAt,
  priceAt,
  type Reader,
  ReaderTally,
  textAt,
  textEvent,
  unfinishedReason,
} from './reader.js';
import { cloudsOf } from './variables.js';

/** Actions that reach beyond the run: other folders, people, endless turns. */
const LEAVING = {
  external_directory: 'deny',
  doom_loop: 'deny',
  question: 'deny',
  plan_enter: 'deny',
  plan_exit: 'deny',
};
const READING = ['read', 'glob', 'grep', 'list'];

/** All permissions are set in advance: it would ask about any other, get no answer, and the run would end there. */
export const opencode = modelClient({
  name: 'opencode',
  sessions: 'told',
  capsItself: false,
  reports: { by: 'tools', prefix: 'troupe_' },
  commits: 'shell',
  // A background component loads these regardless of flags, environment and configuration.
  actsOn: ['.opencode', 'opencode.json', 'opencode.jsonc'],
  rules: [['AGENTS.md', 'CLAUDE.md', 'CONTEXT.md']],
  install: 'npm install -g opencode-ai',
  invocation(plan, session) {
    return {
      args: [
        ...['run', '--format', 'json'],
        ...clientOption('-m', qualifiedModel(plan)),
        // A given title saves the model call that would generate one. The title of the task must not be in the
        // arguments.
        ...['--dir', plan.folder, '--title', `troupe ${plan.runId}`],
        // Prevents most of what a project configures from running, but not all; see `actsOn`.
        ...(plan.projectSettings === true ? [] : ['--pure']),
        ...clientOption('--session', session),
      ],
      environment: {
        OPENCODE_CONFIG_CONTENT: JSON.stringify(configuration(plan)),
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_SHARE: '1',
        ...(plan.projectSettings === true ? {} : { OPENCODE_DISABLE_PROJECT_CONFIG: '1' }),
      },
      passes: [
        ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'],
        ...[
          'OPENROUTER_API_KEY',
          'OPENCODE_API_KEY',
          'GEMINI_API_KEY',
          'GOOGLE_GENERATIVE_AI_API_KEY',
          'GOOGLE_API_KEY',
        ],
        ...[
          'GROQ_API_KEY',
          'MISTRAL_API_KEY',
          'DEEPSEEK_API_KEY',
          'XAI_API_KEY',
          'CEREBRAS_API_KEY',
          'TOGETHER_API_KEY',
        ],
        ...[
          'FIREWORKS_API_KEY',
          'MOONSHOT_API_KEY',
          'ZHIPU_API_KEY',
          'DASHSCOPE_API_KEY',
          'MINIMAX_API_KEY',
          'HF_TOKEN',
        ],
        ...['NVIDIA_API_KEY', 'AICORE_SERVICE_KEY', 'CLOUDFLARE_ACCOUNT_ID', 'CLOUDFLARE_GATEWAY_ID'],
        ...['CLOUDFLARE_API_TOKEN', 'AZURE_API_KEY', 'AZURE_RESOURCE_NAME', 'AZURE_COGNITIVE_SERVICES_RESOURCE_NAME'],
        ...['OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX', ...cloudsOf(plan)],
        ...['OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'],
      ],
      files: [],
    };
  },
  reader: opencodeReader,
});

function configuration(plan: ExecutorPlan): object {
  const { tools } = plan;
  return {
    autoupdate: false,
    share: 'disabled',
    permission: permission(plan),
    mcp: {
      troupe: { type: 'local', command: [tools.command, ...tools.args], enabled: true, timeout: TOOLS_START_MS },
    },
  };
}

/** Permission rules; the last matching rule decides. */
function permission({ mode }: ExecutorPlan): object {
  const allow = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'allow']));
  const ours = { 'troupe_*': 'allow' };
  switch (mode) {
    case 'full':
      return { '*': 'allow', bash: { '*': 'allow', 'git push*': 'deny' }, ...LEAVING };
    case 'light':
      return { '*': 'deny', ...allow(READING), edit: 'deny', bash: 'deny', ...LEAVING, ...ours };
    case 'bare':
      return { '*': 'deny', edit: 'deny', bash: 'deny', ...LEAVING, ...ours };
  }
}

/** Its stream has no final result: a run succeeded if it exited with 0 after a step that requested no further one. */
function opencodeReader(): Reader {
  const tally = new ReaderTally();
  let used = NO_USAGE;
  let stopped = false;
  let rejected: string | undefined;
  let failure: string | undefined;
  let trouble: Trouble | undefined;

  function onTool(part: JsonObject | undefined): ExecutorEvent[] {
    const state = objectAt(part, 'state');
    const name = textAt(part, 'tool');
    const call = textAt(part, 'callID');
    const started = tally.isOpen(call) ? [] : [tally.started(name, call, objectAt(state, 'input'))];
    if (state?.['status'] === 'completed')
      return [...started, tally.ended(call, 'succeeded', { name, output: state['output'] })];
    if (state?.['status'] !== 'error') return started;
    const isRejection = /rejected permission/i.test(textAt(state, 'error') ?? '');
    if (isRejection) rejected = name ?? 'a tool';
    return [...started, tally.ended(call, isRejection ? 'rejected' : 'failed', { name, output: state['error'] })];
  }

  function onStepFinish(part: JsonObject | undefined): ExecutorEvent[] {
    stopped = part?.['reason'] === 'stop';
    used = addUsage(used, usageOf(part));
    return [{ type: 'usage', usage: used }];
  }

  function event(line: JsonObject): ExecutorEvent[] {
    const part = objectAt(line, 'part');
    const session = tally.session(textAt(line, 'sessionID'));
    switch (line['type']) {
      case 'step_start':
        stopped = false;
        failure = undefined;
        return [...session, tally.turn()];
      case 'text':
        return [...session, textEvent(textAt(part, 'text') ?? '')];
      case 'tool_use':
        return [...session, ...onTool(part)];
      case 'step_finish':
        return [...session, ...onStepFinish(part)];
      case 'error': {
        const problem = objectAt(line, 'error');
        const data = objectAt(problem, 'data');
        failure = textAt(data, 'message') ?? textAt(problem, 'name') ?? 'An error without text.';
        const status = amountAt(data, 'statusCode');
        trouble = status > 0 ? troubleOfStatus(status, failure) : troubleIn(failure);
        return [...session, errorEvent(failure)];
      }
      default:
        return session;
    }
  }

  function verdict(exit: ProcessExit): Verdict {
    if (failure !== undefined) return tally.verdict('failed', failure, used, { trouble });
    if (rejected !== undefined) return tally.verdict('failed', `It was not allowed to use ${rejected}.`, used);
    if (!stopped) return tally.verdict('failed', unfinishedReason(exit), used);
    if (exit.code !== 0) return tally.verdict('failed', endReason('client', exit), used);
    return tally.verdict('succeeded', 'The client finished.', used);
  }

  return jsonReader({ event, verdict });
}

function usageOf(part: JsonObject | undefined): Usage {
  const tokens = objectAt(part, 'tokens');
  const cache = objectAt(tokens, 'cache');
  return {
    input_tokens: amountAt(tokens, 'input'),
    output_tokens: amountAt(tokens, 'output') + amountAt(tokens, 'reasoning'),
    cache_read_input_tokens: amountAt(cache, 'read'),
    cache_creation_input_tokens: amountAt(cache, 'write'),
    ...priceAt(part, 'cost'),
  };
}
