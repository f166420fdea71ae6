import path from 'node:path';
import { expect, test } from 'vitest';
import { CLIENT_HOMES } from '#core/runs/client-homes.js';
import { conversationReader } from '#core/runs/conversation.js';
import { LastWords, lastBytes } from '#core/runs/event.js';
import { EXECUTORS } from '#core/runs/executor-table.js';
import { parserOf } from '#core/runs/parser.js';
import { CLIENTS } from '#core/runs/plan.js';
import { priceOf, priceTable, withOwnPrices } from '#core/runs/prices.js';
import { MARKS, TROUBLES } from '#core/runs/provider-trouble.js';
import type { Reader } from '#core/runs/reader.js';
import { REPORT_VERBS, verbsOf } from '#core/runs/report-way.js';
import { SIGN_IN } from '#core/runs/sign-in.js';
import { namesToPass } from '#core/runs/variables.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { randomFrom } from '#kernel/random.js';

const golden = (name: string) => path.join(import.meta.dirname, 'golden', `${name}.txt`);

const usage = (input: number, output: number) => ({ input_tokens: input, output_tokens: output });
const says = (id: string | undefined, words: string, more: object = {}) => ({
  type: 'assistant',
  message: { id, content: [{ type: 'text', text: words }], usage: usage(100, 10), ...more },
});
const result = (more: object) => ({ type: 'result', subtype: 'success', is_error: false, ...more });

/** What Claude Code and Qwen Code may say, the odd and the broken of it among it. */
const CONVERSATION: readonly object[] = [
  {
    type: 'system',
    subtype: 'init',
    session_id: 's-1',
    model: 'm',
    mcp_servers: [{ status: 'failed' }, { status: 'ok' }],
  },
  { type: 'system', subtype: 'api_retry', attempt: 2, max_retries: 10, error: 'overloaded' },
  { type: 'system', subtype: 'api_retry', error_status: 401 },
  { type: 'system', subtype: 'task_progress' },
  { type: 'system' },
  says('a', 'One.'),
  says('a', 'Two.'),
  says('b', 'Three.'),
  says(undefined, 'Four.'),
  { ...says('c', 'Of another.'), parent_tool_use_id: 'x' },
  says('d', 'You have hit your session limit, it resets at 5pm', { model: '<synthetic>' }),
  { ...says('e', 'It failed.', { model: '<synthetic>' }), error: 'rate_limit', api_error_status: 429 },
  { ...says('e', 'It failed.', { model: '<synthetic>' }), error: 'server_error' },
  { ...says('e', 'It failed.', { model: '<synthetic>' }), api_error: 'connection_failed' },
  { type: 'assistant', message: { model: '<synthetic>', content: [{ type: 'image' }] } },
  says('f', '[API Error: 401 no]', { usage: usage(0, 0) }),
  says('f', 'No error.', { usage: usage(0, 0) }),
  {
    type: 'assistant',
    message: {
      content: [
        { type: 'text', text: '[API Error: 500 a]' },
        { type: 'text', text: 'b' },
      ],
    },
  },
  {
    type: 'assistant',
    message: { id: 'g', content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } }] },
  },
  { type: 'assistant' },
  {
    type: 'user',
    message: {
      content: [
        { type: 'tool_result', tool_use_id: 't', content: 'a\nb' },
        { type: 'text', text: 'x' },
      ],
    },
  },
  { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't', is_error: true }] } },
  { type: 'stream_event', event: { type: 'content_block_delta' } },
  { type: 'stream_event', event: { type: 'ping' } },
  {
    type: 'rate_limit_event',
    rate_limit_info: { status: 'rejected', rateLimitType: 'five_hour', resetsAt: 1_790_000_000 },
  },
  { type: 'rate_limit_event', status: 'rejected', rate_limit_type: 'toString', resets_at: 1_790_000_000_000 },
  { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: -5 } },
  { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', isUsingOverage: true } },
  { type: 'rate_limit_event', rate_limit_info: { status: 'allowed' } },
  result({ session_id: 's-2', usage: usage(200, 20), total_cost_usd: 0.5 }),
  result({ result: 'weekly limit reached', usage: usage(200, 0) }),
  result({ result: 'weekly limit reached', usage: usage(200, 1) }),
  result({ is_error: true, terminal_reason: 'api_error', error: { message: 'status 503' } }),
  result({ is_error: true, error: 'Invalid API key' }),
  result({ is_error: true, result: 'unable to connect to API', api_error_status: 500 }),
  result({ is_error: true, stop_reason: 'refusal', error: 'status 401' }),
  result({ subtype: 'error_max_budget_usd', errors: [1, 'too dear'] }),
  result({ subtype: 'error_max_turns', is_error: true }),
  { type: 'result' },
  { type: 'other' },
];

const OPENCODE: readonly object[] = [
  { type: 'step_start', sessionID: 'ses-1' },
  { type: 'text', part: { text: 'Words' }, sessionID: 'ses-2' },
  { type: 'text' },
  {
    type: 'tool_use',
    sessionID: 'ses-3',
    part: { tool: 'bash', callID: 'c', state: { status: 'running', input: { command: 'ls' } } },
  },
  { type: 'tool_use', part: { tool: 'bash', callID: 'c', state: { status: 'completed', output: 'out' } } },
  {
    type: 'tool_use',
    part: { tool: 'edit', callID: 'd', state: { status: 'error', error: 'The user rejected permission' } },
  },
  { type: 'tool_use', part: { callID: 'e', state: { status: 'error', error: 'broke' } } },
  {
    type: 'step_finish',
    sessionID: 'ses-4',
    part: { reason: 'stop', cost: 0.1, tokens: { input: 5, output: 2, reasoning: 1 } },
  },
  { type: 'step_finish', part: { reason: 'tool-calls', tokens: { cache: { read: 7, write: 8 } } } },
  { type: 'error', sessionID: 'ses-5', error: { name: 'APIError', data: { message: 'fetch failed', statusCode: 0 } } },
  { type: 'error', error: { name: 'Not logged in', data: { statusCode: -1 } } },
  { type: 'error', error: { data: { message: 'quota exceeded', statusCode: 429 } } },
  { type: 'error' },
  { type: 'other', sessionID: 'ses-6' },
];

const item = (type: string, id: string, more: object) => ({ type: `item.${type}`, item: { id, ...more } });
const CODEX: readonly object[] = [
  { type: 'thread.started', thread_id: 'th-1' },
  { type: 'turn.started' },
  item('started', 'a', { type: 'command_execution', command: 'ls' }),
  item('completed', 'a', { type: 'command_execution', command: 'ls', aggregated_output: 'x', status: 'completed' }),
  item('completed', 'b', { type: 'command_execution', status: 'declined' }),
  item('updated', 'a', { type: 'command_execution' }),
  item('completed', 'c', { type: 'file_change', changes: [{ path: 'a' }, {}, { path: 'b' }], status: 'failed' }),
  item('completed', 'd', {
    type: 'mcp_tool_call',
    tool: 'task_done',
    arguments: { id: 'x' },
    result: { content: 'ok' },
  }),
  item('completed', 'e', { type: 'mcp_tool_call', error: { message: 'no' }, status: 'failed' }),
  item('completed', 'f', { type: 'web_search', query: 'q' }),
  item('completed', 'g', { type: 'agent_message', text: 'Done.' }),
  item('started', 'g', { type: 'agent_message' }),
  item('completed', 'h', { type: 'error', message: 'warned' }),
  item('completed', 'h', { type: 'error' }),
  item('completed', 'i', { type: 'reasoning' }),
  { type: 'item.completed' },
  {
    type: 'turn.completed',
    usage: { input_tokens: 100, cached_input_tokens: 30, cache_write_input_tokens: 20, output_tokens: 9 },
  },
  { type: 'turn.failed', error: { message: 'unexpected status 401 Unauthorized' } },
  { type: 'turn.failed' },
  { type: 'error', message: "You've hit your usage limit. Try again at 9:00 PM." },
  { type: 'error', message: 'Reconnecting... 1/5' },
  { type: 'error' },
];

const GEMINI: readonly object[] = [
  { type: 'init', session_id: 'g-1', model: 'flash' },
  { type: 'message', role: 'user', content: 'Do it' },
  { type: 'message', role: 'assistant', content: 'It ', delta: true },
  { type: 'message', role: 'assistant', content: 'is done.' },
  { type: 'message', role: 'assistant' },
  { type: 'tool_use', tool_name: 'glob', tool_id: 'a', parameters: { pattern: '*.ts' } },
  { type: 'tool_use' },
  { type: 'tool_result', tool_id: 'a', status: 'success', output: 'x\ny' },
  { type: 'tool_result', tool_id: 'a', status: 'error', error: { message: 'denied' } },
  { type: 'error', message: 'You have exhausted your daily quota' },
  { type: 'error', message: 'Loop detected' },
  { type: 'error' },
  {
    type: 'result',
    status: 'success',
    stats: { input: 7, output_tokens: 3, cached: 2 },
  },
  { type: 'result', status: 'error', error: { message: 'API key not valid' }, stats: { input: 1 } },
  { type: 'result', status: 'error' },
  { type: 'other' },
];

const answers = (more: object) => ({ type: 'message_end', message: { role: 'assistant', ...more } });
const PI: readonly object[] = [
  { type: 'session', id: 'p-1' },
  { type: 'message_end' },
  { type: 'message_end', message: { role: 'user', stopReason: 'stop' } },
  answers({
    stopReason: 'stop',
    content: [{ type: 'text', text: 'Done.' }, { type: 'image' }],
    usage: { input: 5, output: 1 },
  }),
  answers({ stopReason: 'toolUse', content: [{ type: 'text' }], usage: { cacheRead: 4, cost: { total: 0.1 } } }),
  answers({ stopReason: 'error', errorMessage: '429 rate limit exceeded' }),
  answers({ stopReason: 'aborted' }),
  answers({ stopReason: 'length', errorMessage: 'too long' }),
  { type: 'message_update' },
  { type: 'tool_execution_start', toolName: 'bash', toolCallId: 't', args: { command: 'ls' } },
  { type: 'tool_execution_update' },
  { type: 'tool_execution_end', toolCallId: 't', result: { content: [{ type: 'text', text: 'a' }] } },
  { type: 'tool_execution_end', toolCallId: 't', isError: true, result: 'no' },
  { type: 'auto_retry_start', errorMessage: 'overloaded' },
  { type: 'auto_retry_start' },
  { type: 'other' },
];

const BEFORE = { ...usage(40, 4), cache_read_input_tokens: 3, cache_creation_input_tokens: 2, cost_usd: 0.2 };
const READERS: Readonly<Record<string, { lines: readonly object[]; reader: () => Reader }>> = {
  claude: { lines: CONVERSATION, reader: () => conversationReader({ cumulative: 'cost', before: BEFORE }) },
  qwen: { lines: CONVERSATION, reader: () => conversationReader({ cumulative: 'tokens', inputHoldsCache: true }) },
  opencode: { lines: OPENCODE, reader: () => EXECUTORS.opencode.reader() },
  codex: { lines: CODEX, reader: () => EXECUTORS.codex.reader({ ...BEFORE }) },
  gemini: { lines: GEMINI, reader: () => EXECUTORS.gemini.reader() },
  pi: { lines: PI, reader: () => EXECUTORS.pi.reader() },
};

test.each(Object.keys(READERS))('%s: what is made of lines in any order', async (client) => {
  const { lines = [], reader = () => EXECUTORS.claude.reader() } = READERS[client] ?? {};
  const next = randomFrom(7);
  const told = Array.from({ length: 2 * lines.length }, (_, number) => {
    const chosen = Array.from({ length: 1 + Math.floor(next() * 5) }, () => Math.floor(next() * lines.length));
    // Each of them is the last one twice: what was said last often decides.
    const order = [...chosen, number % lines.length];
    const parser = parserOf(reader());
    const events = parser.feed(order.map((at) => `${JSON.stringify(lines[at])}\n`).join(''));
    const exit = { code: number % 5 === 0 ? 1 : 0, signal: null };
    return [`== ${order}`, ...events.map((event) => JSON.stringify(event)), JSON.stringify(parser.end(exit))].join(
      '\n',
    );
  });
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(golden(`streams.${client}`));
});

const PAIRED = Object.keys(READERS).filter((client) => client !== 'claude' && client !== 'qwen');
test.each(PAIRED)('%s: which of two lines decides how a run ended', async (client) => {
  const { lines = [], reader = () => EXECUTORS.claude.reader() } = READERS[client] ?? {};
  const pairsOf = new Map<string, string[]>();
  for (const code of [0, 1])
    for (const [first, one] of lines.entries())
      for (const [second, other] of lines.entries()) {
        const parser = parserOf(reader());
        parser.feed(`${JSON.stringify(one)}\n${JSON.stringify(other)}\n`);
        const verdict = JSON.stringify(parser.end({ code, signal: null }));
        pairsOf.set(verdict, [...(pairsOf.get(verdict) ?? []), `${first},${second}${code === 0 ? '' : '!'}`]);
      }
  const told = [...pairsOf].map(([verdict, pairs]) => `${verdict}\n  ${pairs.join(' ')}`);
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(golden(`pairs.${client}`));
});

test('what is known of each client and of the troubles of its provider', async () => {
  const rows = (table: object) => Object.entries(table).map(([name, row]) => `${name} ${JSON.stringify(row)}`);
  const clients = CLIENTS.map((client) => {
    const { prepare: _, reader: __, ...known } = EXECUTORS[client];
    return `${client} ${JSON.stringify(known)}`;
  });
  const told = [
    ...['== clients', ...clients, '== troubles', ...rows(TROUBLES), '== marks', ...rows(MARKS)],
    ...['== homes', ...rows(CLIENT_HOMES), '== sign in', ...rows(SIGN_IN), '== verbs', ...rows(REPORT_VERBS)],
    ...rows(verbsOf({ by: 'commands' }, 'troupe', 'x')),
  ];
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(golden('known'));
});

test('the last words are kept to the byte', () => {
  const most = TEAM_LIMITS.lastWordsBytes;
  const [whole, longer, wide] = ['x'.repeat(most), `y${'x'.repeat(most)}`, `${'x'.repeat(most)}ä`];
  expect(lastBytes(whole)).toBe(whole);
  expect(lastBytes(longer)).toBe(`[cut] … ${'x'.repeat(most - 10)}`);
  expect(lastBytes(wide)).toBe(`[cut] … ${'x'.repeat(most - 12)}ä`);
  const cutWide = lastBytes('ä'.repeat(most));
  expect([cutWide?.slice(0, 9), Buffer.byteLength(cutWide ?? '')]).toEqual(['[cut] … ä', most]);
  const words = new LastWords();
  words.take({ type: 'text', text: 'z'.repeat(most + WORK_LIMITS.redactorHeldCharacters) });
  words.take({ type: 'text', text: 'end' });
  expect([words.text.length, words.text.slice(-5)]).toEqual([most + WORK_LIMITS.redactorHeldCharacters, 'z\nend']);
});

test('own prices come before those of the table, by the name of a model or of a client', () => {
  const table = priceTable({
    ...{ as_of: '2026-01-01', source: 'here', clients: { claude: 'opus' }, aliases: { best: 'opus', small: 'mini' } },
    models: { opus: { input: 5, output: 25, cache_read: 1 }, mini: { input: 1, output: 2, cache_write: 3 } },
  });
  const own = withOwnPrices(table, 'best=7/8, claude=9/10/1, new=1/2');
  const asked = [{ model: 'opus' }, { model: 'best' }, { model: 'small' }, { model: 'new' }, { client: 'claude' }, {}];
  const unknown = [{ model: 'other' }, { model: 'other', client: 'claude' }];
  expect([...asked, ...unknown].map((who) => [priceOf(table, who), priceOf(own, who)])).toMatchInlineSnapshot(`
    [
      [
        {
          "cacheRead": 1,
          "cacheWrite": 5,
          "input": 5,
          "output": 25,
        },
        {
          "cacheRead": 1,
          "cacheWrite": 5,
          "input": 5,
          "output": 25,
        },
      ],
      [
        {
          "cacheRead": 1,
          "cacheWrite": 5,
          "input": 5,
          "output": 25,
        },
        {
          "cacheRead": 7,
          "cacheWrite": 7,
          "input": 7,
          "output": 8,
        },
      ],
      [
        {
          "cacheRead": 1,
          "cacheWrite": 3,
          "input": 1,
          "output": 2,
        },
        {
          "cacheRead": 1,
          "cacheWrite": 3,
          "input": 1,
          "output": 2,
        },
      ],
      [
        undefined,
        {
          "cacheRead": 1,
          "cacheWrite": 1,
          "input": 1,
          "output": 2,
        },
      ],
      [
        {
          "cacheRead": 1,
          "cacheWrite": 5,
          "input": 5,
          "output": 25,
        },
        {
          "cacheRead": 1,
          "cacheWrite": 9,
          "input": 9,
          "output": 10,
        },
      ],
      [
        undefined,
        undefined,
      ],
      [
        undefined,
        undefined,
      ],
      [
        {
          "cacheRead": 1,
          "cacheWrite": 5,
          "input": 5,
          "output": 25,
        },
        {
          "cacheRead": 1,
          "cacheWrite": 9,
          "input": 9,
          "output": 10,
        },
      ],
    ]
  `);
  expect([own.asOf, own.source, [...own.aliases]]).toEqual(['2026-01-01', 'here', [['small', 'mini']]]);
});

test('names that cannot be passed are said as far as a person reads', () => {
  const refused = (value: unknown) => {
    try {
      return namesToPass(value);
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  };
  const long = 'x y'.repeat(60);
  expect([
    refused(undefined),
    refused(['A', 'b_1']),
    refused('A'),
    refused(['1A']),
    refused([7]),
    refused(['WG_TASK']),
  ]).toEqual([
    [],
    ['A', 'b_1'],
    `executors.pass_env: it must be a list of at most ${TEAM_LIMITS.passedVariables} names.`,
    'executors.pass_env: "1A" is not a variable name.',
    'executors.pass_env: 7 is not a variable name.',
    'executors.pass_env: WG_TASK cannot be passed: every run has its own, or none.',
  ]);
  expect(String(refused([long])).length).toBe('executors.pass_env:  is not a variable name.'.length + 120);
});
