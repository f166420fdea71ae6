import { expect, test } from 'vitest';
import { isProgress } from '#core/runs/event.js';
import { EXECUTORS } from '#core/runs/executor-table.js';
import { parserOf } from '#core/runs/parser.js';
import { CLIENTS } from '#core/runs/plan.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';

const DONE = '{"type":"result","subtype":"success","is_error":false}\n';
const WELL = { code: 0, signal: null };
const MIB = 1024 * 1024;

test('a gigabyte without a line end costs a bounded line, is said once, and the next line counts', () => {
  const parser = parserOf(EXECUTORS.claude.reader());
  const chunk = 'x'.repeat(MIB);
  const before = process.memoryUsage().heapUsed;
  const events = [];
  for (let count = 0; count < 1024; count++) events.push(...parser.feed(chunk));
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(4 * TEAM_LIMITS.streamLineCharacters);
  expect(events).toEqual([{ type: 'error', message: expect.stringContaining('was dropped') }]);
  expect(parser.feed(`${DONE}${DONE}`).map(({ type }) => type)).toEqual(['usage', 'final']);
  expect(parser.end(WELL).outcome).toBe('succeeded');
});

test('a line of the greatest length is read, one that is longer is dropped, however it is cut', () => {
  const line = `${' '.repeat(20)}${DONE}`;
  const length = line.length - 1;
  for (const [most, outcome] of [
    [length, 'succeeded'],
    [length - 1, 'failed'],
  ] as const) {
    for (const size of [1, 7, line.length]) {
      const parser = parserOf(EXECUTORS.claude.reader(), most);
      for (let at = 0; at < line.length; at += size) parser.feed(line.slice(at, at + size));
      expect(parser.end(WELL).outcome, `${most} by ${size}`).toBe(outcome);
    }
  }
});

test('what clients say is shown inert, and cut', () => {
  const long = '\u001b]0;x\u0007'.repeat(100_000);
  const lines = [
    {
      type: 'assistant',
      message: {
        id: 'm',
        content: [
          { type: 'text', text: long },
          { type: 'tool_use', name: long },
        ],
      },
    },
    { type: 'result', subtype: 'error', is_error: true, errors: [long] },
  ];
  const parser = parserOf(EXECUTORS.claude.reader());
  const events = lines.flatMap((line) => parser.feed(`${JSON.stringify(line)}\n`));
  const tool = events.find((event) => event.type === 'tool');
  expect(tool?.name).toHaveLength(TEAM_LIMITS.executorReasonCharacters);
  expect(JSON.stringify(events).length).toBeLessThan(8 * TEAM_LIMITS.executorTextCharacters);
  const { reason } = parser.end({ code: 1, signal: null });
  expect(reason).not.toMatch(/[\u001b\u0007]/);
  expect(reason.length).toBeLessThanOrEqual(TEAM_LIMITS.executorReasonCharacters);
});

test('an id of a session that could not stand in an argument is none', () => {
  for (const id of ['--last', '', 'a b', '../x', 'x'.repeat(200)]) {
    for (const line of [
      { type: 'session', id },
      { type: 'thread.started', thread_id: id },
      { type: 'x', sessionID: id },
    ]) {
      for (const client of CLIENTS) {
        const parser = parserOf(EXECUTORS[client].reader());
        parser.feed(`${JSON.stringify(line)}\n`);
        expect(parser.end(WELL).sessionId, `${client} ${id}`).toBeUndefined();
      }
    }
  }
});

test('prices and counts that are none are zero, never less', () => {
  const usage = { input_tokens: -5, output_tokens: 'many', cache_read_input_tokens: null };
  const line = { type: 'result', subtype: 'success', is_error: false, total_cost_usd: -1, usage };
  const parser = parserOf(EXECUTORS.claude.reader());
  parser.feed(`${JSON.stringify(line)}\n`);
  expect(parser.end(WELL).usage).toEqual({
    ...{ input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    cost_usd: 0,
  });
});

test('a client that begins to count anew is not credited with what was before', () => {
  const reader = EXECUTORS.codex.reader({
    ...{ input_tokens: 1_000, output_tokens: 50, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
  });
  const parser = parserOf(reader);
  parser.feed('{"type":"turn.completed","usage":{"input_tokens":100,"cached_input_tokens":0,"output_tokens":60}}\n');
  expect(parser.end(WELL).usage).toMatchObject({ input_tokens: 100, output_tokens: 10 });
});

test('many calls of tools that never end are forgotten, not kept', () => {
  const parser = parserOf(EXECUTORS.pi.reader());
  for (let call = 0; call < 3 * TEAM_LIMITS.executorOpenTools; call++) {
    parser.feed(`{"type":"tool_execution_start","toolName":"bash","toolCallId":"c${call}"}\n`);
  }
  expect(parser.feed('{"type":"tool_execution_end","toolCallId":"c0","isError":true}\n')).toEqual([
    { type: 'tool', name: 'bash', state: 'failed' },
  ]);
  expect(parser.end(WELL).toolCalls).toBe(3 * TEAM_LIMITS.executorOpenTools);
});

test('every line of a program without a form is a sign of life', () => {
  const parser = parserOf(EXECUTORS.shell.reader());
  expect(parser.feed('compiling\n\ndone').filter(isProgress)).toEqual([{ type: 'text', text: 'compiling' }]);
  expect(parser.end({ code: 2, signal: null })).toMatchObject({ outcome: 'failed', turns: 0 });
});

test('a call of a tool is told by its first words and the first line of its result, and no more of it is read', () => {
  const told = (input: object, output: unknown) => {
    const parser = parserOf(EXECUTORS.pi.reader());
    const start = { type: 'tool_execution_start', toolName: 'bash', toolCallId: 'c', args: input };
    const end = { type: 'tool_execution_end', toolCallId: 'c', result: output };
    return parser
      .feed(`${JSON.stringify(start)}\n${JSON.stringify(end)}\n`)
      .map((event) => ('target' in event ? event.target : 'result' in event ? event.result : undefined));
  };
  const read = TEAM_LIMITS.executorToolRead;
  expect([
    told({ note: ' ', path: 'a.ts', command: 'ls\n  | wc ' }, '\n  \nfirst\n \nsecond\n'),
    told({ size: 7, other: 'words' }, { content: [{ type: 'text', text: 'one' }, 'two', 7] }),
    told({ size: 7 }, { text: '' }),
    told({ command: `${' '.repeat(read)}x` }, `${'\n'.repeat(read)}x`),
    told({ command: `${' '.repeat(read - 1)}x` }, `${'\n'.repeat(read - 1)}x`),
    told({ command: 'x'.repeat(TEAM_LIMITS.executorToolCharacters) }, 'y'.repeat(TEAM_LIMITS.executorToolCharacters)),
  ]).toEqual([
    ['ls ; | wc', 'first (+1 lines)'],
    ['words', 'one (+1 lines)'],
    [undefined, undefined],
    ['', undefined],
    ['x', 'x'],
    ['x'.repeat(TEAM_LIMITS.executorToolCharacters), 'y'.repeat(TEAM_LIMITS.executorToolCharacters)],
  ]);
});
