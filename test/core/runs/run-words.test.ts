import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { ExecutorEvent } from '#core/runs/event.js';
import { EXECUTORS } from '#core/runs/executor-table.js';
import { parserOf } from '#core/runs/parser.js';
import type { Client } from '#core/runs/plan.js';
import { eventsIn, runWords } from '#core/runs/run-words.js';
import { safeJson } from '#kernel/json.js';
import { anyText } from '../../any-text.js';
import { verifies } from '../../verifies.js';

const TRANSCRIPTS = path.resolve(import.meta.dirname, '../../fixtures/transcripts');
const eventsOf = (client: Client, name = 'success') =>
  parserOf(EXECUTORS[client].reader()).feed(readFileSync(path.join(TRANSCRIPTS, client, `${name}.jsonl`), 'utf8'));

const CALL = "printf '%s' 'made by the model' > made.txt";
/** What people read of the same small task, done by each client. */
const WORDS: Readonly<Record<Client, readonly string[]>> = {
  claude: ['[started with claude-x]', 'I write it.', '> Bash: printf x > made.txt', '  ok Bash', 'It is written.'],
  codex: [`> shell: /bin/bash -lc "${CALL}"`, '  ok shell', 'It is written.'],
  gemini: ['[started with gemini-2.5-pro]', '> write_file: made.txt', '  ok write_file', 'It is written.'],
  opencode: [`> bash: ${CALL}`, '  ok bash: (no output)', '  [107 tokens, $0.00 so far]', 'It is written.'],
  qwen: [
    '[started with m1]',
    `> run_shell_command: ${CALL}`,
    `  ok run_shell_command: Command: ${CALL} (+6 lines)`,
    'It is written.',
  ],
  pi: ['  [107 tokens, $0.00 so far]', `> bash: ${CALL}`, '  ok bash: (no output)', 'It is written.'],
};

verifies(
  'hold.output',
  'what each client does is told in words: text, tools with targets, results, what was used',
  () => {
    for (const client of Object.keys(WORDS) as Client[]) {
      const lines = runWords(eventsOf(client)).split('\n');
      expect(
        lines.filter((line) => WORDS[client].includes(line)),
        client,
      ).toEqual(WORDS[client]);
      expect(lines.filter((line) => / so far\]$/.test(line)).length, client).toBeGreaterThan(0);
      expect(lines.join('\n')).not.toContain('{"');
    }
    expect(runWords(eventsOf('claude')).split('\n').slice(-2)).toEqual([
      '  [219 tokens, $0.25 so far]',
      '[succeeded: The client finished.]',
    ]);
  },
);

const text = anyText({ maxLength: 30 });
const event = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({ type: fc.constant('text' as const), text, continues: fc.constant(true as const) }),
  fc.record({ type: fc.constant('tool' as const), name: text, state: fc.constant('started' as const), target: text }),
  fc.record({ type: fc.constant('tool' as const), name: text, state: fc.constant('failed' as const), result: text }),
  fc.record({ type: fc.constant('error' as const), message: text }),
  fc.record({ type: fc.constant('progress' as const), turn: fc.nat(5) }),
);

verifies(
  'hold.output',
  'parts of a run that are read one after another say what all of it says, and nothing acts',
  () => {
    fc.assert(
      fc.property(fc.array<ExecutorEvent>(event, { maxLength: 12 }), fc.nat(12), (events, at) => {
        const [before, after] = [events.slice(0, at), events.slice(at)];
        const begun = runWords(before) !== '' || before.some((one) => one.type === 'text' && one.text !== '');
        expect(runWords(before) + runWords(after, !begun)).toBe(runWords(events));
        expect(runWords(events)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
        // As it is kept on disk, and read from there.
        const kept = events.map((one) => safeJson({ at: 'now', ...one })).join('\n');
        expect(runWords(eventsIn(kept))).toBe(runWords(events));
      }),
    );
  },
);

verifies('hold.output', 'what a client writes among its events is passed over when it is none', () => {
  const strange = [
    '{"type":"tool","name":{},"state":"gone"}',
    '[]',
    'null',
    '{"type":"text","text":7}',
    '{"type":"usage"',
    '',
  ];
  expect(runWords(eventsIn(strange.join('\n')))).toBe('');
  const usage = '{"type":"usage","usage":{"input_tokens":"many","output_tokens":-3,"cost_usd":1e999}}';
  expect(runWords(eventsIn(usage))).toBe('  [0 tokens, $0.00 so far]');
});

verifies(
  'hold.output',
  'an event is read back from its line as it was written, and what is none is passed over',
  () => {
    const usage = { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 };
    const events: ExecutorEvent[] = [
      { type: 'session', id: 's' },
      { type: 'session', id: 's', model: 'm' },
      ...(['started', 'succeeded', 'failed', 'rejected'] as const).map((state) => ({
        type: 'tool' as const,
        name: 'Bash',
        state,
      })),
      { type: 'tool', name: 'Bash', state: 'succeeded', target: 't', result: 'r' },
      { type: 'text', text: 'x' },
      { type: 'text', text: 'x', continues: true },
      { type: 'usage', usage },
      { type: 'usage', usage: { ...usage, cost_usd: 0.5, estimated_usd: 0.25 } },
      { type: 'final', outcome: 'succeeded', reason: 'r' },
      { type: 'final', outcome: 'failed', reason: '' },
      { type: 'error', message: 'm' },
    ];
    const lines = events.map((one) => safeJson(one));
    expect(
      eventsIn(
        [
          ...lines.slice(0, 3),
          '',
          ' ',
          'no json',
          '7',
          '{"type":"odd"}',
          '{"type":"progress"}',
          ...lines.slice(3),
        ].join('\n'),
      ),
    ).toEqual(events);
    expect(
      eventsIn(
        '{"type":"tool","name":"x","state":"odd"}\n{"type":"text","continues":"yes"}\n{"type":"final","outcome":7}',
      ),
    ).toEqual([
      { type: 'text', text: '' },
      { type: 'final', outcome: 'failed', reason: '' },
    ]);
    expect(runWords(events)).toBe(
      [
        ...['[started with m]', '> Bash', '  ok Bash', '  failed Bash', '  refused Bash', '  ok Bash: r', 'xx'],
        ...['  [10 tokens so far]', '  [10 tokens, ~$0.50 so far]', '[succeeded: r]', '[failed: ]', '! m'],
      ].join('\n'),
    );
    expect(
      runWords([
        { type: 'text', text: '' },
        { type: 'tool', name: 'x', state: 'started', target: '' },
      ]),
    ).toBe('> x');
    expect(runWords([{ type: 'error', message: 'm' }], false)).toBe('\n! m');
  },
);
