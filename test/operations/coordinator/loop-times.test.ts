import { expect, onTestFinished, test, vi } from 'vitest';
import { addTask } from '#core/graph/add.js';
import type { NodeFields } from '#core/graph/task.js';
import { LIMITS } from '#kernel/limits.js';
import { CoordinatorLoop, type CoordinatorOptions } from '#operations/coordinator/coordinator-loop.js';
import type { RunClaim, RunHost } from '#ports/run-host.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { quietParts } from '../../quiet-parts.js';

const START = Date.parse('2026-03-01T10:00:00Z');

/** A coordinator whose time is the test's, and whose host of runs starts nothing. */
function stage(more: Partial<CoordinatorOptions> = {}) {
  vi.useFakeTimers({ now: START, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const clock = { now: () => Date.now() };
  const store = new GraphInMemory(clock);
  const calls: unknown[] = [];
  const runs = {
    ...{ facts: () => [], listed: () => [], nextNumber: () => 1, forget: () => undefined },
    onChange: () => undefined,
    adopt: async (claims: readonly RunClaim[]) => void calls.push(['adopt', claims]),
    close: async () => void calls.push('runs closed'),
  } as unknown as RunHost;
  const parts = quietParts({ store, runs, clock });
  const persisted = { ...parts.persisted, savePaused: (paused: boolean) => calls.push(['paused', paused]) };
  const loop = new CoordinatorLoop({ ...parts, pollMs: 10_000, persisted, ...more });
  onTestFinished(() => loop.stop());
  const put = (id: string, fields: NodeFields = {}) =>
    store.commit((view) => {
      const { events } = addTask(view, { title: id, id, ...fields }, { now: START });
      return { events, result: undefined };
    });
  return { loop, store, calls, put, ticks: () => loop.facts().ticks };
}

test('a tick comes at the end of each poll, earlier where it was asked for, once for many askings', async () => {
  const { loop, ticks, calls } = stage();
  expect([ticks(), loop.facts().lastTick]).toEqual([0, undefined]);
  loop.trigger();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(ticks(), 'it has not begun').toBe(0);
  await loop.start();
  const begun = Date.now();
  expect([ticks(), loop.facts().lastTick, calls]).toEqual([1, begun, [['adopt', []]]]);
  await loop.start();
  expect([ticks(), calls.length], 'it has begun already').toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(ticks()).toBe(1);
  await vi.advanceTimersByTimeAsync(1 + LIMITS.tickCoalesceMs);
  expect([ticks(), loop.facts().lastTick]).toEqual([2, begun + 10_000 + LIMITS.tickCoalesceMs]);
  for (let count = 0; count < 3; count++) loop.trigger();
  await vi.advanceTimersByTimeAsync(LIMITS.tickCoalesceMs - 1);
  expect(ticks()).toBe(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(ticks()).toBe(3);
  loop.configure({ pollMs: 500 });
  expect(loop.facts().pollMs).toBe(500);
  await vi.advanceTimersByTimeAsync(LIMITS.tickCoalesceMs);
  expect(ticks(), 'what is changed counts at once').toBe(4);
  loop.configure({ maxAgents: 7 });
  expect(loop.facts()).toMatchObject({ maxAgents: 7, pollMs: 500 });
  await vi.advanceTimersByTimeAsync(2 * (500 + LIMITS.tickCoalesceMs) + LIMITS.tickCoalesceMs);
  expect(ticks()).toBe(7);
  loop.trigger();
  await loop.stop();
  expect([vi.getTimerCount(), calls.at(-1)]).toEqual([0, 'runs closed']);
  loop.trigger();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([ticks(), vi.getTimerCount()]).toEqual([7, 0]);
});

test('the poll ends when the time of a task comes, and never before', async () => {
  const { loop, put, ticks } = stage({ pollMs: 60_000 });
  const at = (seconds: number) => new Date(START + seconds * 1_000).toISOString();
  await put('later', { exec: 'true', not_before: at(20) });
  await put('sooner', { exec: 'true', not_before: at(5) });
  await put('person', { human: true, not_before: at(1) });
  loop.pause();
  await loop.start();
  await vi.advanceTimersByTimeAsync(4_900);
  expect(ticks()).toBe(1);
  await vi.advanceTimersByTimeAsync(100 + LIMITS.tickCoalesceMs);
  expect(ticks()).toBe(2);
});

test('a pause is kept for the next life, and to resume asks for a tick', async () => {
  const { loop, calls, ticks } = stage();
  await loop.start();
  loop.pause();
  expect([loop.facts().paused, calls.at(-1)]).toEqual([true, ['paused', true]]);
  await vi.advanceTimersByTimeAsync(LIMITS.tickCoalesceMs);
  expect(ticks()).toBe(1);
  loop.resume();
  expect([loop.facts().paused, calls.at(-1)]).toEqual([false, ['paused', false]]);
  await vi.advanceTimersByTimeAsync(LIMITS.tickCoalesceMs);
  expect(ticks()).toBe(2);
});

test('runs of an earlier life are known by their claims, since they were begun or else made', async () => {
  const { loop, store, calls } = stage();
  const held = (id: string, fields: NodeFields) => ({
    op: 'add_task',
    task_id: id,
    patch: [{ id, put: { kind: 'task', id, title: id, status: 'in-progress', ...fields } }],
  });
  await store.commit(() => ({
    events: [
      held('begun', {
        assigned: 'agent-1',
        fence: 2,
        started_at: '2026-03-01T09:00:00Z',
        created_at: '2026-03-01T08:00:00Z',
      }),
      held('made', { assigned: 'agent-2', created_at: '2026-03-01T08:00:00Z' }),
      held('nobody', {}),
    ],
    result: undefined,
  }));
  await loop.adopt();
  expect(calls).toEqual([['adopt', expect.any(Array)]]);
  const [[, claims]] = calls as [[string, RunClaim[]]];
  expect([...claims].sort((one, other) => one.run.localeCompare(other.run))).toEqual([
    { run: 'agent-1', taskId: 'begun', fence: 2, startedAt: Date.parse('2026-03-01T09:00:00Z') },
    { run: 'agent-2', taskId: 'made', fence: 0, startedAt: Date.parse('2026-03-01T08:00:00Z') },
  ]);
  expect(loop.facts().ticks, 'nothing else is changed').toBe(0);
});
