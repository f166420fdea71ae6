import { expect, test } from 'vitest';
import { taskAttempts } from '#operations/history/attempts.js';
import { traceShow } from '#operations/history/show-trace.js';
import { world } from '../e2e/world.js';

test('an animation plays ten times as fast unless told otherwise; without one no speed is taken', async () => {
  const { add, context } = world();
  await add('a');
  expect(await traceShow.run(context, { id: 'a', animate: true })).toMatchObject({ speed: 10 });
  expect(await traceShow.run(context, { id: 'a', animate: true, speed: 2 })).toMatchObject({ speed: 2 });
  await expect(traceShow.run(context, { id: 'a', speed: 2 })).rejects.toMatchObject({ code: 'usage' });
});

test('one that asks for nothing else tells what was done to its task, and no runs', async () => {
  const { add, context } = world();
  await add('a');
  const { operations, runs } = await traceShow.run(context, { id: 'a', ops_only: true });
  expect(operations).toMatchObject([{ op: 'add_task' }]);
  expect(runs).toBeUndefined();
});

test('the first event is one to look at, what is before it is none', () => {
  const takes = (at: number) => traceShow.input.safeParse({ id: 'a', at }).success;
  expect([0, 1].map(takes)).toEqual([false, true]);
});

test('a run tells what its client said of it, and nothing that nobody knows', async () => {
  const { add, context, store } = world();
  await add('a');
  const log = (op: string, run: string, detail: object = {}) =>
    store.commit(() => ({
      events: [{ op, task_id: 'a', actor: run, detail: { run, executor: 'claude', ...detail }, patch: [] }],
      result: undefined,
    }));
  const usage = { input_tokens: 1_000, output_tokens: 200, cache_read_input_tokens: 34, cost_usd: 0.25 };
  await log('spawn_agent', 'agent-1');
  await log('agent_complete', 'agent-1', { outcome: 'failed', usage: { ...usage, note: 'x' } });
  await log('spawn_agent', 'agent-2');
  const at = { id: 'agent-1', taskId: 'a', fence: 1, startedAt: 0, timeoutMs: 1, alive: false, started: true };
  const result = { outcome: 'failed', reason: 'It was over.', turns: 3, toolCalls: 7 } as const;
  const runs = {
    part: async (run: string, _: string, { most }: { most: number }) =>
      run === 'agent-1' ? { text: 'It said so.'.slice(0, most), next: 0, size: 12 } : undefined,
    prompt: async (run: string) => (run === 'agent-1' ? 'grüezi' : undefined),
    ended: async (run: string) => (run === 'agent-1' ? { ...at, outputBytes: 12, result } : undefined),
  };
  const answer = await traceShow.run({ ...context, runs: async () => runs as never }, { id: 'a' });
  expect(answer.runs).toEqual([
    {
      ...{ run: 'agent-1', executor: 'claude', outcome: 'failed', reason: 'It was over.' },
      ...{ timestamp: expect.any(String), ended_at: expect.any(String) },
      ...{ prompt_bytes: 7, output_bytes: 12, turns: 3, tool_calls: 7, tokens: 1_234, cost_usd: 0.25 },
      estimated_usd: null,
    },
    {
      ...{ run: 'agent-2', executor: 'claude', timestamp: expect.any(String) },
      ...{ prompt_bytes: null, output_bytes: null, turns: null, tool_calls: null, tokens: null, cost_usd: null },
      estimated_usd: null,
    },
  ]);
  const given = { ...context, runs: async () => runs as never };
  const full = await traceShow.run(given, { id: 'a', full: true });
  expect(full.runs?.map(({ output }) => output)).toEqual(['It said so.', '']);
  await add('b');
  expect(await taskAttempts.run(given, { id: 'a' })).toEqual({ task: 'a', runs: answer.runs });
  expect(await taskAttempts.run(given, { id: 'b' })).toEqual({ task: 'b', runs: [] });
  const command = { ...at, outputBytes: 5 };
  const ofCommand = { ...runs, ended: async () => command, prompt: async () => 'unasked' };
  const { runs: commands } = await taskAttempts.run({ ...context, runs: async () => ofCommand as never }, { id: 'a' });
  expect(commands[0]).toMatchObject({ prompt_bytes: 0, turns: 0, tool_calls: 0, output_bytes: 12 });
  expect(commands[0]).not.toHaveProperty('reason');
});
