import type { JsonObject } from '#kernel/json.js';
import { addUsage, type ExecutorEvent, NO_USAGE, type ProcessExit, type Usage, type Verdict } from './event.js';
import { clientOption, type ExecutorPlan, modelClient, type ToolServer } from './plan.js';
import { troubleIn } from './provider-trouble.js';
import {
  amountAt,
  errorEvent,
  jsonReader,
  objectAt,
  objectsAt,
  priceAt,
  type Reader,
  ReaderTally,
  textAt,
  textEvent,
  unfinishedReason,
} from './reader.js';
import { REPORT_VERBS } from './report-way.js';
import { cloudsOf } from './variables.js';

const TOOLS_FILE = 'pi-tools.mjs';
const PREFIX = 'troupe_';

/**
 * It has no permissions, only tools that exist or not. Troupe's tools come from an extension, as it supports no MCP
 * servers.
 */
export const pi = modelClient({
  name: 'pi',
  sessions: 'told',
  capsItself: false,
  reports: { by: 'tools', prefix: PREFIX },
  commits: 'shell',
  actsOn: [],
  rules: [['AGENTS.md', 'CLAUDE.md']],
  install: 'npm install -g --ignore-scripts @earendil-works/pi-coding-agent',
  invocation(plan, session) {
    return {
      args: [
        ...['-p', '--mode', 'json'],
        ...clientOption('--provider', plan.provider),
        ...clientOption('--model', plan.model),
        ...toolsOf(plan),
        // The rules of the project are in the prompt.
        '--no-context-files',
        ...['--extension', `${plan.runFolder}/${TOOLS_FILE}`],
        ...(plan.projectSettings === true ? [] : ['--no-extensions', '--no-prompt-templates', '--no-themes']),
        ...clientOption('--session', session),
      ],
      environment: { PI_OFFLINE: '1', PI_TELEMETRY: '0' },
      passes: [
        ...['ANTHROPIC_API_KEY', 'ANTHROPIC_OAUTH_TOKEN', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'GEMINI_API_KEY'],
        ...['GROQ_API_KEY', 'MISTRAL_API_KEY', 'XAI_API_KEY', 'CEREBRAS_API_KEY', 'ZAI_API_KEY', 'MINIMAX_API_KEY'],
        ...['KIMI_API_KEY', 'OPENCODE_API_KEY', 'AI_GATEWAY_API_KEY', 'HF_TOKEN', 'AZURE_OPENAI_*'],
        ...['PI_CODING_AGENT_DIR', 'PI_CODING_AGENT_SESSION_DIR', 'PI_CACHE_RETENTION', ...cloudsOf(plan)],
      ],
      files: [{ path: TOOLS_FILE, content: piTools(plan.tools, PREFIX) }],
    };
  },
  reader: piReader,
});

/** `--tools` lists all available tools, including those of Troupe. */
function toolsOf({ mode }: ExecutorPlan): string[] {
  if (mode === 'full') return [];
  if (mode === 'bare') return ['--no-builtin-tools'];
  const ours = new Set(Object.values(REPORT_VERBS).map(({ tool }) => `${PREFIX}${tool}`));
  return ['--tools', ['read', 'grep', 'find', 'ls', ...ours].join(',')];
}

/** Its exit code is no verdict: a refused request exits with 0 as well. The last response of the model decides. */
function piReader(): Reader {
  const tally = new ReaderTally();
  let used = NO_USAGE;
  let stop: string | undefined;
  let failure: string | undefined;

  function onMessage(message: JsonObject | undefined): ExecutorEvent[] {
    if (message?.['role'] !== 'assistant') return [];
    stop = textAt(message, 'stopReason');
    failure = textAt(message, 'errorMessage');
    used = addUsage(used, usageOf(objectAt(message, 'usage')));
    if (stop === 'error' || stop === 'aborted') return [errorEvent(failure ?? `The answer ended with ${stop}.`)];
    const texts = objectsAt(message, 'content').filter((block) => block['type'] === 'text');
    const events = texts.map((block) => textEvent(textAt(block, 'text') ?? ''));
    return [tally.turn(), ...events, { type: 'usage', usage: used }];
  }

  function event(line: JsonObject): ExecutorEvent[] {
    switch (line['type']) {
      case 'session':
        return tally.session(textAt(line, 'id'));
      case 'message_end':
        return onMessage(objectAt(line, 'message'));
      case 'message_update':
        return [tally.progress()];
      case 'tool_execution_start':
        return [tally.started(textAt(line, 'toolName'), textAt(line, 'toolCallId'), objectAt(line, 'args'))];
      case 'tool_execution_update':
        return [tally.progress()];
      case 'tool_execution_end':
        return [
          tally.ended(textAt(line, 'toolCallId'), line['isError'] === true ? 'failed' : 'succeeded', {
            output: line['result'],
          }),
        ];
      case 'auto_retry_start':
        return [errorEvent(`Trying again: ${textAt(line, 'errorMessage') ?? ''}`)];
      default:
        return [];
    }
  }

  function verdict(exit: ProcessExit): Verdict {
    if (stop === 'stop') return tally.verdict('succeeded', 'The client finished.', used);
    if (stop === undefined || stop === 'toolUse') return tally.verdict('failed', unfinishedReason(exit), used);
    const trouble = stop === 'error' ? troubleIn(failure ?? '') : undefined;
    return tally.verdict('failed', failure ?? `The last answer ended with ${stop}.`, used, { trouble });
  }

  return jsonReader({
    // Each of these lines repeats the whole response so far: parsing them would take quadratic time.
    early: (line) => (line.startsWith('{"type":"message_update"') ? [tally.progress()] : undefined),
    event,
    verdict,
  });
}

function usageOf(usage: JsonObject | undefined): Usage {
  return {
    input_tokens: amountAt(usage, 'input'),
    output_tokens: amountAt(usage, 'output'),
    cache_read_input_tokens: amountAt(usage, 'cacheRead'),
    cache_creation_input_tokens: amountAt(usage, 'cacheWrite'),
    ...priceAt(objectAt(usage, 'cost'), 'total'),
  };
}

/**
 * Source of the extension that offers Troupe's tools to pi, which supports no MCP servers: it starts the server and
 * forwards the calls. It contains nothing about the task; the run is identified by the environment inherited from pi.
 */
function piTools({ command, args }: ToolServer, prefix: string): string {
  return `import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [command, args, prefix] = ${JSON.stringify([command, args, prefix])};

export default async function (pi) {
  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  let asked = 0;
  const over = () => {
    for (const { reject } of waiting.values()) reject(new Error('The server of tools has ended.'));
    waiting.clear();
  };
  server.on('error', over);
  server.on('exit', over);
  server.stdin.on('error', () => undefined);
  createInterface({ input: server.stdout }).on('line', (line) => {
    const answer = JSON.parse(line);
    const { resolve, reject } = waiting.get(answer.id) ?? {};
    waiting.delete(answer.id);
    if (answer.error) reject?.(new Error(answer.error.message));
    else resolve?.(answer.result);
  });
  const tell = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const ask = (method, params) =>
    new Promise((resolve, reject) => {
      const id = ++asked;
      waiting.set(id, { resolve, reject });
      tell({ id, method, params });
    });
  const clientInfo = { name: 'pi', version: '1' };
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  tell({ method: 'notifications/initialized' });
  const { tools } = await ask('tools/list', {});
  for (const { name, description, inputSchema } of tools) {
    pi.registerTool({
      name: prefix + name,
      label: name,
      description,
      parameters: inputSchema,
      async execute(_call, params) {
        const { content, isError } = await ask('tools/call', { name, arguments: params });
        if (isError) throw new Error(content.map(({ text }) => text).join('\\n'));
        return { content, details: {} };
      },
    });
  }
  pi.on('session_shutdown', () => server.kill());
}
`;
}
