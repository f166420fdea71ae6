import { expect, test, vi } from 'vitest';
import type { NodeFields } from '#core/graph/task.js';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { Clients } from '#operations/coordinator/clients.js';
import type { RunClaim } from '#ports/run-host.js';
import { NO_CLIENTS } from '../../quiet-parts.js';
import { verifies } from '../../verifies.js';
import { START, stage } from './loop-stage.js';

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
  await vi.advanceTimersByTimeAsync(1 + WORK_LIMITS.tickCoalesceMs);
  expect([ticks(), loop.facts().lastTick]).toEqual([2, begun + 10_000 + WORK_LIMITS.tickCoalesceMs]);
  for (let count = 0; count < 3; count++) loop.trigger();
  await vi.advanceTimersByTimeAsync(WORK_LIMITS.tickCoalesceMs - 1);
  expect(ticks()).toBe(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(ticks()).toBe(3);
  loop.configure({ pollMs: 500 });
  expect(loop.facts().pollMs).toBe(500);
  await vi.advanceTimersByTimeAsync(WORK_LIMITS.tickCoalesceMs);
  expect(ticks(), 'what is changed counts at once').toBe(4);
  loop.configure({ maxAgents: 7 });
  expect(loop.facts()).toMatchObject({ maxAgents: 7, pollMs: 500 });
  await vi.advanceTimersByTimeAsync(2 * (500 + WORK_LIMITS.tickCoalesceMs) + WORK_LIMITS.tickCoalesceMs);
  expect(ticks()).toBe(7);
  loop.trigger();
  await loop.stop();
  expect([vi.getTimerCount(), calls.at(-1)]).toEqual([0, 'runs closed']);
  loop.trigger();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([ticks(), vi.getTimerCount()]).toEqual([7, 0]);
});

test('a burst of changes gets a tick at once and one for each rest, and what else asks waits for none', async () => {
  const { loop, ticks } = stage();
  await loop.start();
  await vi.advanceTimersByTimeAsync(WORK_LIMITS.tickRestMs);
  const rest = WORK_LIMITS.tickRestMs + WORK_LIMITS.tickCoalesceMs;
  for (let elapsed = 0; elapsed < 2 * rest; elapsed++) {
    loop.triggerByChange();
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(ticks(), 'the first change, and the rest after that').toBe(3);
  loop.trigger();
  await vi.advanceTimersByTimeAsync(WORK_LIMITS.tickCoalesceMs);
  expect(ticks()).toBe(4);
  await vi.advanceTimersByTimeAsync(2 * rest);
  expect(ticks(), 'it has seen all changes').toBe(4);
  loop.triggerByChange();
  await vi.advanceTimersByTimeAsync(WORK_LIMITS.tickCoalesceMs);
  expect(ticks()).toBe(5);
  loop.triggerByChange();
  await loop.stop();
  expect(vi.getTimerCount()).toBe(0);
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
  await vi.advanceTimersByTimeAsync(100 + WORK_LIMITS.tickCoalesceMs);
  expect(ticks()).toBe(2);
});

verifies(
  ['dispatch.prepare', 'fleet.faults'],
  'what could not be prepared while the database was away is prepared soon after it is back, long before the poll',
  async () => {
    const tries: number[] = [];
    const clients: Clients = {
      ...NO_CLIENTS,
      facts: async () => ({ ...(await NO_CLIENTS.facts()), executor: 'claude' }),
      prepare: async () => {
        tries.push(Date.now() - START);
        throw new TroupeError('database_away');
      },
    };
    const { loop, put } = stage({ pollMs: 600_000, clients });
    await put('a');
    await loop.start();
    await vi.advanceTimersByTimeAsync(WORK_LIMITS.tickCoalesceMs);
    await vi.advanceTimersByTimeAsync(SURFACE_LIMITS.remoteAgainMs - 1);
    expect(tries).toEqual([0]);
    await vi.advanceTimersByTimeAsync(SURFACE_LIMITS.remoteAgainMs);
    expect(tries.length).toBe(2);
  },
);

test('a pause is kept for the next life, and to resume asks for a tick', async () => {
  const { loop, calls, ticks } = stage();
  await loop.start();
  loop.pause();
  expect([loop.facts().paused, calls.at(-1)]).toEqual([true, ['paused', true]]);
  await vi.advanceTimersByTimeAsync(WORK_LIMITS.tickCoalesceMs);
  expect(ticks()).toBe(1);
  loop.resume();
  expect([loop.facts().paused, calls.at(-1)]).toEqual([false, ['paused', false]]);
  await vi.advanceTimersByTimeAsync(WORK_LIMITS.tickCoalesceMs);
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

test('a run is ended by its id or its process while it is at work, and its word counts under its claim alone', async () => {
  const ended: unknown[] = [];
  const row = (id: string, pid?: number) => ({ id, task_id: `task-of-${id}`, ...(pid === undefined ? {} : { pid }) });
  const fact = (id: string, alive: boolean) => ({ id, taskId: 'a', alive });
  const runs = {
    listed: async () => [row('agent-1', 11), row('agent-2', 12), row('agent-3'), row('agent-4', 14)],
    facts: async () => [fact('agent-1', true), fact('agent-2', false), fact('agent-3', true)],
    end: async (run: string, why: string) => ended.push([run, why]),
    beat: async (run: string) => (run === 'agent-9' ? undefined : START + 1),
  };
  const { loop, store } = stage({}, runs);
  expect([await loop.kill('agent-1'), await loop.kill(11), await loop.kill('agent-3')]).toEqual([
    { run: 'agent-1', task: 'task-of-agent-1' },
    { run: 'agent-1', task: 'task-of-agent-1' },
    { run: 'agent-3', task: 'task-of-agent-3' },
  ]);
  expect(ended).toEqual([
    ['agent-1', 'stopped'],
    ['agent-1', 'stopped'],
    ['agent-3', 'stopped'],
  ]);
  for (const run of ['agent-2', 12, 'agent-4', 14, 'agent-9', 99])
    await expect(loop.kill(run), String(run)).rejects.toMatchObject({ code: 'not_found' });
  const put = { kind: 'task', id: 'a', title: 'a', status: 'in-progress', assigned: 'agent-1', fence: 2 };
  await store.commit(() => ({
    events: [{ op: 'add_task', task_id: 'a', patch: [{ id: 'a', put }] }],
    result: undefined,
  }));
  expect(await loop.beat('agent-1', 2)).toBe(START + 1);
  for (const [run, fence] of [
    ['agent-1', 1],
    ['agent-3', 2],
    ['agent-9', 2],
    ['agent-4', 2],
  ] as const)
    await expect(loop.beat(run, fence), run).rejects.toMatchObject({ code: 'stale_attempt' });
  runs.facts = async () => [];
  await loop.stop();
});

test('a round that takes long keeps nobody waiting, is followed by the one that was asked for, and by none after the end', async () => {
  let free: () => void = () => undefined;
  let looks = 0;
  const facts = async () => {
    looks++;
    await new Promise<void>((resolve) => {
      free = resolve;
    });
    return await NO_CLIENTS.facts();
  };
  const { loop, ticks } = stage({ clients: { ...NO_CLIENTS, facts } });
  const started = loop.start();
  await vi.advanceTimersByTimeAsync(0);
  let heard = false;
  const ended = loop.roundEnd().then(() => {
    heard = true;
  });
  await vi.advanceTimersByTimeAsync(WORK_LIMITS.roundEndMs - 1);
  expect(heard).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await ended;
  expect([heard, ticks(), looks]).toEqual([true, 1, 1]);
  const second = loop.tick();
  free();
  await vi.advanceTimersByTimeAsync(0);
  expect([ticks(), looks]).toEqual([2, 2]);
  const stopped = loop.stop();
  free();
  await Promise.all([started, second, stopped]);
  expect([vi.getTimerCount(), looks]).toEqual([0, 2]);
  await loop.tick();
  expect([vi.getTimerCount(), looks, ticks()], 'nothing is looked at any more').toEqual([0, 2, 3]);
});

verifies(
  'fleet.faults',
  'a tick that failed, or an effect of it, is made up for soon, and later with each that fails again',
  async () => {
    let fault: Error | undefined;
    const errors: unknown[] = [];
    const facts = async () => {
      if (fault) throw fault;
      return await NO_CLIENTS.facts();
    };
    const onError = (error: unknown) => errors.push(error);
    const { loop, ticks } = stage({ clients: { ...NO_CLIENTS, facts }, onError });
    await loop.start();
    fault = new Error('away');
    loop.trigger();
    await vi.advanceTimersByTimeAsync(WORK_LIMITS.tickCoalesceMs);
    expect([ticks(), errors]).toEqual([2, [fault]]);
    for (const [failed, wait] of [1, 2, 4, 8].entries()) {
      await vi.advanceTimersByTimeAsync(wait * WORK_LIMITS.tickAgainMs - 1);
      expect(ticks(), `after ${failed + 1}`).toBe(2 + failed);
      await vi.advanceTimersByTimeAsync(1 + WORK_LIMITS.tickCoalesceMs);
      expect(ticks()).toBe(3 + failed);
    }
    fault = undefined;
    loop.trigger();
    await vi.advanceTimersByTimeAsync(WORK_LIMITS.tickCoalesceMs);
    expect(ticks()).toBe(7);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(ticks(), 'it went well: the usual time').toBe(7);
    fault = new Error('away again');
    await vi.advanceTimersByTimeAsync(1_000 + WORK_LIMITS.tickCoalesceMs);
    expect(ticks()).toBe(8);
    await vi.advanceTimersByTimeAsync(WORK_LIMITS.tickAgainMs + WORK_LIMITS.tickCoalesceMs);
    expect(ticks(), 'counted from the first again').toBe(9);
    fault = undefined;
  },
);

verifies('fleet.faults', 'while the database cannot be used, ticks are at most some seconds apart', async () => {
  const facts = () => Promise.reject(new TroupeError('disk_full', { details: { retriable: true } }));
  const { loop, ticks } = stage({ pollMs: 600_000, clients: { ...NO_CLIENTS, facts } });
  await loop.start().catch(() => undefined);
  await vi.advanceTimersByTimeAsync(60_000);
  const before = ticks();
  await vi.advanceTimersByTimeAsync(4 * (SURFACE_LIMITS.remoteAgainMs + WORK_LIMITS.tickCoalesceMs));
  expect(ticks() - before).toBe(4);
});
