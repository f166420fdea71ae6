import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { ExecutorEvent } from '#core/runs/event.js';
import { EXECUTORS } from '#core/runs/executor-table.js';
import { parserOf } from '#core/runs/parser.js';
import type { Client } from '#core/runs/plan.js';
import { stepsOfRun } from '#core/runs/run-steps.js';
import { eventsIn, type RecordedEvent } from '#core/runs/run-words.js';
import { safeJson } from '#kernel/json.js';
import { anyText } from '../../any-text.js';
import { verifies } from '../../verifies.js';

const TRANSCRIPTS = path.resolve(import.meta.dirname, '../../fixtures/transcripts');
const FREE = () => undefined;
const PRICE = { input: 1_000_000, output: 2_000_000, cacheRead: 100_000, cacheWrite: 1_000_000 };

/** Events as a run records them: the n-th a second after the one before. */
function recorded(events: readonly ExecutorEvent[]): RecordedEvent[] {
  const begun = Date.parse('2026-03-01T09:00:00Z');
  return eventsIn(
    events.map((one, index) => safeJson({ at: new Date(begun + 1_000 * index).toISOString(), ...one })).join('\n'),
  );
}

const usage = (input: number, output: number, cost?: number) => ({
  type: 'usage' as const,
  usage: {
    ...{ input_tokens: input, output_tokens: output, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    ...(cost === undefined ? {} : { cost_usd: cost }),
  },
});

verifies(
  'web.run',
  'each client of which there is a transcript has turns, calls with their results, and an end',
  () => {
    for (const client of Object.keys(EXECUTORS) as Client[]) {
      if (client === ('shell' as string)) continue;
      const file = path.join(TRANSCRIPTS, client, 'success.jsonl');
      const events = parserOf(EXECUTORS[client].reader()).feed(readFileSync(file, 'utf8'));
      const { steps } = stepsOfRun(recorded(events), FREE);
      const kinds = new Set(steps.map(({ kind }) => kind));
      expect(kinds, client).toContain('answer');
      expect(kinds, client).toContain('tool');
      expect(
        steps.filter(({ kind }) => kind === 'tool').map(({ state }) => state),
        client,
      ).not.toContain('running');
      expect(
        steps.reduce((sum, { tokens = 0, cached = 0 }) => sum + tokens + cached, 0),
        client,
      ).toBeGreaterThan(0);
    }
  },
);

verifies('web.run', 'a turn has the time until it was there and what it used; a call the time until its result', () => {
  const events: ExecutorEvent[] = [
    { type: 'session', id: 's', model: 'm-1' },
    { type: 'progress', turn: 1 },
    usage(100, 10),
    { type: 'text', text: 'I look.' },
    { type: 'tool', name: 'Read', state: 'started', target: 'src/a.ts' },
    { type: 'tool', name: 'Read', state: 'started', target: 'src/b.ts' },
    { type: 'tool', name: 'Read', state: 'succeeded', result: 'a' },
    { type: 'tool', name: 'Read', state: 'failed', result: 'no such file' },
    { type: 'progress', turn: 2 },
    { type: 'error', message: 'Trying again (1 of 3): overloaded' },
    usage(250, 30),
    { type: 'text', text: 'Do' },
    { type: 'text', text: 'ne.', continues: true },
    { type: 'final', outcome: 'succeeded', reason: 'The client finished.' },
  ];
  const { steps, model, model_ms, tool_ms } = stepsOfRun(recorded(events), (name) =>
    name === 'm-1' ? PRICE : undefined,
  );
  expect(model).toBe('m-1');
  expect([model_ms, tool_ms]).toEqual([2_000, 4_000]);
  expect(steps.map(({ kind, turn, ms, name, text, state }) => ({ kind, turn, ms, name, text, state }))).toEqual(
    [
      { kind: 'start', turn: 0, name: 'm-1' },
      { kind: 'answer', turn: 1, ms: 1_000 },
      { kind: 'text', turn: 1, text: 'I look.' },
      { kind: 'tool', turn: 1, ms: 2_000, name: 'Read', text: 'src/a.ts', state: 'succeeded' },
      { kind: 'tool', turn: 1, ms: 2_000, name: 'Read', text: 'src/b.ts', state: 'failed' },
      { kind: 'answer', turn: 2, ms: 1_000 },
      { kind: 'error', turn: 2, text: 'Trying again (1 of 3): overloaded' },
      { kind: 'text', turn: 2, text: 'Done.' },
      { kind: 'end', turn: 2, name: 'succeeded', text: 'The client finished.' },
    ].map((step) => ({ ms: undefined, name: undefined, text: undefined, state: undefined, ...step })),
  );
  // The second answer used what was reported after it less what was reported before; both are priced by the table.
  expect(steps.filter(({ kind }) => kind === 'answer')).toMatchObject([
    { tokens: 110, cost_usd: 120, estimated_usd: 120 },
    { tokens: 170, cost_usd: 190, estimated_usd: 190 },
  ]);
});

verifies(
  'web.run',
  'a cost that the client tells for each answer is taken as it is; a sum at the end is not one',
  () => {
    const turns = (cost?: number): ExecutorEvent[] => [
      { type: 'progress', turn: 1 },
      usage(100, 10, cost),
      { type: 'progress', turn: 2 },
      usage(200, 20, 0.05),
    ];
    const costs = (events: readonly ExecutorEvent[]) =>
      stepsOfRun(recorded(events), FREE).steps.map(({ cost_usd: cost, estimated_usd: estimated }) => [cost, estimated]);
    expect(costs(turns(0.02))).toEqual([
      [0.02, undefined],
      [0.03, undefined],
    ]);
    expect(costs(turns())).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  },
);

verifies('web.run', 'whatever a client printed, the steps are bounded and nothing in them acts on a screen', () => {
  const text = anyText({ maxLength: 30 });
  const state = fc.constantFrom('started', 'succeeded', 'failed', 'rejected');
  const any = fc.oneof(
    fc.record({ type: fc.constant('text'), text, at: text }),
    fc.record({ type: fc.constant('tool'), name: text, state, target: text, result: text }),
    fc.record({ type: fc.constant('progress'), turn: fc.oneof(fc.double(), fc.integer()) }),
    fc.record({ type: fc.constant('final'), outcome: text, reason: text }),
    fc.record({ type: fc.constant('error'), message: text }),
    fc.record({ type: fc.constant('session'), id: text, model: text }),
  );
  fc.assert(
    fc.property(fc.array(any, { maxLength: 20 }), (lines) => {
      const { steps } = stepsOfRun(eventsIn(lines.map((line) => safeJson(line)).join('\n')), FREE);
      expect(steps.length).toBeLessThanOrEqual(lines.length);
      for (const { name = '', text: words = '', result = '', ms = 0 } of steps) {
        expect(`${name}${words}${result}`).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
        expect(ms).toBeGreaterThanOrEqual(0);
      }
    }),
  );
  const many = Array.from({ length: 3_000 }, (_, index) => ({ type: 'text', text: `${index}` }));
  const { steps, left_out: leftOut } = stepsOfRun(eventsIn(many.map((line) => safeJson(line)).join('\n')), FREE);
  expect([steps.length, leftOut, steps.at(-1)?.text]).toEqual([2_000, 1_000, '2999']);
});
