import type { JsonObject } from '#kernel/json.js';
import { type ExecutorEvent, NO_USAGE, type ProcessExit, type Usage, type Verdict } from './event.js';
import { chosenSession, clientOption, type ExecutorPlan, type Mode, modelClient, NO_RULES_FILE } from './plan.js';
import { type Trouble, troubleIn } from './provider-trouble.js';
import {
  amountAt,
  errorEvent,
  final,
  jsonReader,
  objectAt,
  type Reader,
  ReaderTally,
  textAt,
  textEvent,
  unfinishedReason,
} from './reader.js';
import { GOOGLE_CLOUD } from './variables.js';

/** Matches all tools of Troupe's MCP server. */
const OURS = 'mcp_troupe_*';
const SETTINGS_FILE = 'gemini-settings.json';

/** Without a terminal it offers the shell only if nothing is asked at all, which requires `allowUnsafe`. */
export const gemini = modelClient({
  name: 'gemini',
  sessions: 'chosen',
  capsItself: false,
  reports: { by: 'tools', prefix: 'mcp_troupe_' },
  commits: 'tool',
  // It accepts the given settings only from a folder that no other user can write to, up to the root.
  actsOn: ['.gemini/settings.json'],
  rules: [['GEMINI.md'], ['AGENTS.md']],
  install: 'npm install -g @google/gemini-cli',
  invocation(plan) {
    return {
      args: [
        ...clientOption('-m', plan.model),
        ...['--approval-mode', approval(plan), '-o', 'stream-json'],
        ...chosenSession(plan),
      ],
      environment: {
        // Its launcher swallows signals; without it they reach the working process.
        GEMINI_CLI_NO_RELAUNCH: 'true',
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
        GEMINI_TELEMETRY_ENABLED: 'false',
        GEMINI_CLI_SYSTEM_SETTINGS_PATH: `${plan.runFolder}/${SETTINGS_FILE}`,
      },
      passes: [
        ...['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GEMINI_BASE_URL', 'GEMINI_CLI_CUSTOM_HEADERS', 'GEMINI_MODEL'],
        ...['GEMINI_API_KEY_AUTH_MECHANISM', 'GOOGLE_GENAI_API_VERSION', 'GEMINI_CLI_HOME', 'CODE_ASSIST_ENDPOINT'],
        ...['GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA', 'GOOGLE_VERTEX_BASE_URL', 'GOOGLE_CLOUD_ACCESS_TOKEN'],
        ...GOOGLE_CLOUD,
      ],
      files: [{ path: SETTINGS_FILE, content: `${JSON.stringify(settings(plan))}\n` }],
    };
  },
  reader: geminiReader,
});

/** Its planning mode is not used: it offers no MCP tools and writes plans of its own. */
function approval({ mode, allowUnsafe }: ExecutorPlan): string {
  if (mode !== 'full') return 'default';
  return allowUnsafe ? 'yolo' : 'auto_edit';
}

/**
 * System settings, which override those of the person and the project: a repository can add neither hooks nor servers.
 */
function settings({ mode, tools, projectSettings }: ExecutorPlan): object {
  // It withholds variables with names like secrets from servers. The file contains only the name; the client inserts
  // the value.
  const env = { WG_RUN_TOKEN: '$WG_RUN_TOKEN' };
  const troupe = { command: tools.command, args: tools.args, env, trust: true };
  return {
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    privacy: { usageStatisticsEnabled: false },
    context: { fileName: [NO_RULES_FILE] },
    mcpServers: { troupe },
    tools: { ...TOOLS[mode], ...(projectSettings === true ? {} : { discoveryCommand: '', callCommand: '' }) },
    ...(projectSettings === true ? {} : CLOSED),
  };
}

/**
 * Built-in tools per mode: in full mode all except those that reach beyond the run; an empty `core` list means none.
 */
const TOOLS: Readonly<Record<Mode, object>> = {
  full: { exclude: ['ask_user', 'enter_plan_mode', 'exit_plan_mode', 'save_memory'] },
  light: { core: ['list_directory', 'read_file', 'read_many_files', 'glob', 'grep_search', OURS] },
  bare: { core: [OURS] },
};

/** Closes the ways in which a project's settings could start a program. */
const CLOSED = {
  hooksConfig: { enabled: false },
  mcp: { allowed: ['troupe'] },
};

/** Exit code before the first request if there is no key. */
const UNAUTHENTICATED = 41;

function geminiReader(): Reader {
  const tally = new ReaderTally();
  /** The next text of the model starts a response. */
  let fresh = true;
  /** The last provider failure, until a response follows it. */
  let trouble: Trouble | undefined;
  let notice = '';
  let result: { outcome: 'succeeded' | 'failed'; reason: string; usage: Usage } | undefined;

  function answering(): ExecutorEvent[] {
    if (!fresh) return [];
    fresh = false;
    trouble = undefined;
    return [tally.turn()];
  }

  /** It streams a response in pieces; every piece except the first continues it. */
  function onAnswer(event: JsonObject): ExecutorEvent[] {
    const goesOn = !fresh && event['delta'] === true;
    return [...answering(), textEvent(textAt(event, 'content') ?? '', goesOn)];
  }

  function onResult(event: JsonObject): ExecutorEvent[] {
    const succeeded = event['status'] === 'success';
    const failure = textAt(objectAt(event, 'error'), 'message') ?? 'The client reported an error.';
    const usage = usageOf(objectAt(event, 'stats'));
    const outcome = succeeded ? 'succeeded' : 'failed';
    if (!succeeded) [trouble, notice] = [troubleIn(failure), failure];
    result = { outcome, reason: succeeded ? 'The client finished.' : failure, usage };
    return [{ type: 'usage', usage }, final(outcome, result.reason)];
  }

  function event(line: JsonObject): ExecutorEvent[] {
    switch (line['type']) {
      case 'init':
        return tally.session(textAt(line, 'session_id'), textAt(line, 'model'));
      case 'message':
        return line['role'] === 'assistant' ? onAnswer(line) : [];
      case 'tool_use':
        return [
          ...answering(),
          tally.started(textAt(line, 'tool_name'), textAt(line, 'tool_id'), objectAt(line, 'parameters')),
        ];
      case 'tool_result':
        fresh = true;
        return [
          tally.ended(textAt(line, 'tool_id'), line['status'] === 'error' ? 'failed' : 'succeeded', {
            output: line['output'] ?? objectAt(line, 'error')?.['message'],
          }),
        ];
      case 'error':
        notice = textAt(line, 'message') ?? '';
        trouble = troubleIn(notice) ?? trouble;
        return [errorEvent(textAt(line, 'message') ?? 'An error without text.')];
      case 'result':
        return onResult(line);
      default:
        return [];
    }
  }

  function verdict(exit: ProcessExit): Verdict {
    if (result === undefined) {
      if (exit.code === UNAUTHENTICATED) trouble = 'key-refused';
      return tally.verdict('failed', unfinishedReason(exit), NO_USAGE, { trouble });
    }
    return tally.verdict(result.outcome, result.reason, result.usage, { trouble, notice });
  }

  return jsonReader({ event, verdict });
}

function usageOf(stats: JsonObject | undefined): Usage {
  return {
    input_tokens: amountAt(stats, 'input'),
    output_tokens: amountAt(stats, 'output_tokens'),
    cache_read_input_tokens: amountAt(stats, 'cached'),
    cache_creation_input_tokens: 0,
  };
}
