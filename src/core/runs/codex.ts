import { type Json, type JsonObject, safeJson } from '#kernel/json.js';
import { type ExecutorEvent, NO_USAGE, type ProcessExit, type Usage, usageSince, type Verdict } from './event.js';
import { canBeSaid } from './own-parts.js';
import { clientOption, type ExecutorPlan, modelClient, RUN_VARIABLES, TOOLS_START_MS } from './plan.js';
import { type Trouble, troubleIn } from './provider-trouble.js';
import {
  amountAt,
  errorEvent,
  final,
  jsonReader,
  objectAt,
  objectsAt,
  type Reader,
  ReaderTally,
  textAt,
  textEvent,
  unfinishedReason,
} from './reader.js';
import { AWS } from './variables.js';

/** Features that reach beyond the run: uncounted agents, unrequested turns, services and screens of the person. */
const LEAVING = ['multi_agent', 'goals', 'apps', 'plugins', 'browser_use', 'computer_use'];
const KEYS = ['OPENAI_API_KEY', 'CODEX_API_KEY', 'CODEX_ACCESS_TOKEN', 'AZURE_OPENAI_API_KEY', 'OPENROUTER_API_KEY'];

/** Runs without approval prompts: its sandbox restricts its commands instead. */
export const codex = modelClient({
  name: 'codex',
  sessions: 'told',
  capsItself: false,
  reports: { by: 'tools', prefix: 'mcp__troupe.' },
  commits: 'tool',
  actsOn: [],
  rules: [['AGENTS.override.md', 'AGENTS.md']],
  install: 'npm install -g @openai/codex',
  invocation(plan, session) {
    const sandbox = sandboxOf(plan);
    return {
      args: [
        ...(session === undefined ? ['exec'] : ['exec', 'resume']),
        ...['--json', '--skip-git-repo-check'],
        // `resume` accepts neither of these two flags: it uses the working directory.
        ...(session === undefined ? ['-C', plan.folder, '-s', sandbox] : setting('sandbox_mode', safeJson(sandbox))),
        ...clientOption('-m', plan.model),
        ...(plan.provider === undefined ? [] : setting('model_provider', safeJson(plan.provider))),
        ...setting('features.unbounded_connection_retries', 'false'),
        ...LEAVING.flatMap((feature) => setting(`features.${feature}`, 'false')),
        ...setting('check_for_update_on_startup', 'false'),
        // The rules of the project are in the prompt; the person's rules are read in any case.
        ...setting('project_doc_max_bytes', '0'),
        // A login shell would read the system profile and lose the PATH on which the agent finds Troupe.
        ...setting('allow_login_shell', 'false'),
        // Commands run by the model do not get the keys; they do need the token of the run.
        ...setting('shell_environment_policy.exclude', safeJson([...KEYS, 'AWS_*'])),
        ...switchedOff(plan),
        ...toolServer(plan),
        ...(session === undefined ? ['-'] : [session, '-']),
      ],
      environment: {},
      passes: [
        ...KEYS,
        ...['OPENAI_BASE_URL', 'OPENAI_ORGANIZATION', 'OPENAI_PROJECT', 'CODEX_HOME', 'CODEX_CA_CERTIFICATE'],
        ...['CODEX_OSS_BASE_URL', 'CODEX_OSS_PORT', 'AZURE_OPENAI_API_VERSION', 'AZURE_OPENAI_BASE_URL'],
        { when: ['AWS_BEARER_TOKEN_BEDROCK'], names: AWS },
      ],
      files: [],
    };
  },
  reader: codexReader,
});

function sandboxOf({ mode, allowUnsafe }: ExecutorPlan): string {
  if (mode !== 'full') return 'read-only';
  return allowUnsafe ? 'danger-full-access' : 'workspace-write';
}

function setting(key: string, toml: string): string[] {
  return ['-c', `${key}=${toml}`];
}

/**
 * Switches off hooks, notifications and MCP servers. A server whose name cannot be written on the command line stays
 * on.
 */
function switchedOff({ own }: ExecutorPlan): string[] {
  if (own.act) return [];
  const servers = own.parts.servers.filter((name) => canBeSaid(name) && name !== 'troupe');
  return [
    ...setting('features.hooks', 'false'),
    ...setting('notify', '[]'),
    ...servers.flatMap((name) => setting(`mcp_servers.${name}.enabled`, 'false')),
  ];
}

/**
 * Its child processes get a minimal environment: the names of the variables that identify the run are passed on,
 * without their values.
 */
function toolServer({ tools }: ExecutorPlan): string[] {
  const parts = [
    `command=${safeJson(tools.command)}`,
    `args=${safeJson(tools.args)}`,
    `env_vars=${safeJson(RUN_VARIABLES)}`,
    'default_tools_approval_mode="approve"',
    // If the server is not required, codex omits it from the first turn when it takes longer than a second, without a
    // message.
    'required=true',
    `startup_timeout_sec=${TOOLS_START_MS / 1_000}`,
  ];
  return setting('mcp_servers.troupe', `{${parts.join(',')}}`);
}

const TOOLS: Readonly<Record<string, (item: JsonObject) => string | undefined>> = {
  command_execution: () => 'shell',
  file_change: () => 'edit',
  web_search: () => 'web_search',
  mcp_tool_call: (item) => textAt(item, 'tool'),
  collab_tool_call: (item) => textAt(item, 'tool'),
};

/** Reader for its stream. Its figures cover the whole thread, including resumed runs, and have no price. */
function codexReader(before?: Usage): Reader {
  const tally = new ReaderTally();
  let turn: 'none' | 'started' | 'completed' | 'failed' = 'none';
  let failure: string | undefined;
  let total: Usage | undefined;
  /** The last provider failure, until work follows it. */
  let trouble: Trouble | undefined;
  let notice = '';

  function onItem(type: string, item: JsonObject | undefined): ExecutorEvent[] {
    const kind = textAt(item, 'type') ?? '';
    const id = textAt(item, 'id');
    if (kind === 'error') return [errorEvent(textAt(item, 'message') ?? 'A warning without text.')];
    trouble = undefined;
    if (kind === 'agent_message') {
      return type === 'item.completed' ? [tally.turn(), textEvent(textAt(item, 'text') ?? '')] : [tally.progress()];
    }
    const name = TOOLS[kind];
    if (name === undefined || item === undefined) return [tally.progress()];
    const events: ExecutorEvent[] = [];
    if (!tally.isOpen(id)) {
      events.push(tally.turn(), tally.started(name(item), id, inputOf(kind, item)));
    }
    if (type !== 'item.completed') return events.length === 0 ? [tally.progress()] : events;
    return [...events, tally.ended(id, stateOf(item), { name: name(item), output: outputOf(kind, item) })];
  }

  function onCompleted(event: JsonObject): ExecutorEvent[] {
    turn = 'completed';
    total = usageOf(objectAt(event, 'usage'));
    return [
      { type: 'usage', usage: usageSince(total, before ?? NO_USAGE) },
      final('succeeded', 'The client finished.'),
    ];
  }

  function event(line: JsonObject): ExecutorEvent[] {
    const type = textAt(line, 'type') ?? '';
    switch (type) {
      case 'thread.started':
        return tally.session(textAt(line, 'thread_id'));
      case 'turn.started':
        turn = 'started';
        return [];
      case 'item.started':
      case 'item.updated':
      case 'item.completed':
        return onItem(type, objectAt(line, 'item'));
      case 'turn.completed':
        return onCompleted(line);
      case 'turn.failed':
        turn = 'failed';
        failure ??= textAt(objectAt(line, 'error'), 'message') ?? 'The turn failed.';
        trouble = troubleIn(failure);
        return [final('failed', failure)];
      case 'error':
        notice = textAt(line, 'message') ?? '';
        trouble = troubleIn(notice) ?? trouble;
        return [errorEvent(textAt(line, 'message') ?? 'An error without text.')];
      default:
        return [];
    }
  }

  function verdict(exit: ProcessExit): Verdict {
    const usage = total === undefined ? NO_USAGE : usageSince(total, before ?? NO_USAGE);
    const cumulative = total ?? before;
    if (failure !== undefined) return tally.verdict('failed', failure, usage, { cumulative, trouble });
    if (turn === 'completed')
      return tally.verdict('succeeded', 'The client finished.', usage, { cumulative, trouble, notice });
    return tally.verdict('failed', unfinishedReason(exit), usage, { cumulative, trouble });
  }

  return jsonReader({ event, verdict });
}

/** Object of a tool call: arguments of an MCP tool, the files of an edit, else the item itself. */
function inputOf(kind: string, item: JsonObject): JsonObject | undefined {
  if (kind === 'mcp_tool_call') return objectAt(item, 'arguments');
  if (kind !== 'file_change') return { command: item['command'] ?? null, query: item['query'] ?? null };
  const files = objectsAt(item, 'changes').flatMap((change) => textAt(change, 'path') ?? []);
  return { path: files.join(' ') };
}

function outputOf(kind: string, item: JsonObject): Json | undefined {
  if (kind === 'mcp_tool_call') return objectAt(item, 'result') ?? objectAt(item, 'error')?.['message'];
  return item['aggregated_output'];
}

function stateOf(item: JsonObject): 'succeeded' | 'failed' | 'rejected' {
  const status = textAt(item, 'status');
  if (status === 'declined') return 'rejected';
  return status === 'failed' ? 'failed' : 'succeeded';
}

/** Its input count includes the cached tokens. */
function usageOf(usage: JsonObject | undefined): Usage {
  const read = amountAt(usage, 'cached_input_tokens');
  const cacheWrites = amountAt(usage, 'cache_write_input_tokens');
  return {
    input_tokens: Math.max(0, amountAt(usage, 'input_tokens') - read - cacheWrites),
    output_tokens: amountAt(usage, 'output_tokens'),
    cache_read_input_tokens: read,
    cache_creation_input_tokens: cacheWrites,
  };
}
