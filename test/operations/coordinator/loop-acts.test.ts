import { expect, onTestFinished, vi } from 'vitest';
import { CHECKPOINT } from '#core/coordinator/checkpoints.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { HostTools } from '#operations/coordinator/host.js';
import { NO_CLIENTS, quietHosts } from '../../quiet-parts.js';
import { verifies } from '../../verifies.js';
import { START, stage } from './loop-stage.js';

/** A loop each of whose rounds decides to note that all is over, and begins the errand that is next in line. */
async function noting() {
  const begun: string[] = [];
  const free = new Map<string, () => void>();
  let noted = 0;
  const hosts = (tools: HostTools) => ({
    ...quietHosts(tools),
    completion: {
      facts: async () => {
        const run = begun.shift();
        const end = (resolve: (answer: { of: 'checkpoint' }) => void) =>
          free.set(run ?? '', () => resolve({ of: 'checkpoint' }));
        if (run !== undefined) tools.errands.start(CHECKPOINT, CHECKPOINT.key(run), () => new Promise(end));
        return { completed: false };
      },
      carryOut: { note: () => Number(++noted < 0) },
    },
  });
  const own = stage({ hosts });
  onTestFinished(() => {
    for (const end of free.values()) end();
  });
  await own.put('a');
  await own.store.commit(() => ({
    events: [{ op: 'done', task_id: 'a', patch: [{ id: 'a', set: { status: 'done' } }] }],
    result: undefined,
  }));
  return { ...own, begun, free, noted: () => noted };
}
const acts = (decisions: readonly { do: string }[]) => decisions.map((decision) => decision.do);

verifies('coord.tick.single', 'a tick that was asked for goes on while what it began is under way', async () => {
  const { loop, begun, free, ticks } = await noting();
  begun.push('agent-1');
  await loop.start();
  begun.push('agent-2');
  let result: unknown;
  const asked = loop.tickThrough(60_000).then(({ decisions, consequences }) => {
    result = [acts(decisions), acts(consequences)];
  });
  await vi.advanceTimersByTimeAsync(0);
  expect([ticks(), result], 'its own errand is awaited').toEqual([2, undefined]);
  free.get('agent-2')?.();
  await asked;
  expect([ticks(), result], 'that of an earlier tick is not').toEqual([3, [['note'], ['note']]]);
  expect(acts((await loop.tickThrough()).decisions)).toEqual(['note']);
  expect(ticks(), 'nothing was begun').toBe(4);
  begun.push('agent-3');
  const late = loop.tickThrough(2_000);
  await vi.advanceTimersByTimeAsync(1_999);
  const before = ticks();
  await vi.advanceTimersByTimeAsync(1);
  expect(acts((await late).consequences)).toContain('note');
  expect(ticks(), 'it is awaited no longer').toBe(before + 1);
});

verifies('coord.tick.single', 'a preview tells what a tick would decide, and changes nothing', async () => {
  const { loop, ticks, noted } = await noting();
  expect(acts(await loop.preview())).toEqual(['note']);
  expect([ticks(), noted()]).toEqual([0, 0]);
  await loop.start();
  expect([ticks(), noted(), acts(await loop.preview())]).toEqual([1, 1, ['note']]);
});

verifies('coord.tick.single', 'a run that is asked for waits for the tick under way, and a tick for it', async () => {
  let [looks, held] = [0, true];
  let free: () => void = () => undefined;
  const facts = async () => {
    looks++;
    if (held)
      await new Promise<void>((resolve) => {
        free = resolve;
      });
    return await NO_CLIENTS.facts();
  };
  const { loop, ticks } = stage({ clients: { ...NO_CLIENTS, facts } });
  const started = loop.start();
  await vi.advanceTimersByTimeAsync(0);
  const spawned = loop.spawn({ task: 'none' } as never).catch(({ code }) => code);
  await vi.advanceTimersByTimeAsync(0);
  expect([ticks(), looks], 'the tick comes first').toEqual([1, 1]);
  free();
  await started;
  await vi.advanceTimersByTimeAsync(0);
  expect([ticks(), looks]).toEqual([1, 2]);
  loop.trigger();
  await vi.advanceTimersByTimeAsync(WORK_LIMITS.tickCoalesceMs);
  expect([ticks(), looks], 'the run comes first').toEqual([1, 2]);
  held = false;
  free();
  expect(await spawned).toBe('unknown_task');
  await vi.advanceTimersByTimeAsync(WORK_LIMITS.tickCoalesceMs);
  expect([ticks(), looks], 'a tick follows').toEqual([2, 3]);
});

verifies('coord.tick.single', 'all runs are ended, and their end is awaited', async () => {
  const ended: unknown[] = [];
  const fact = (id: string, more: object = {}) => ({
    ...{ id, taskId: `task-of-${id}`, fence: 1, startedAt: START, timeoutMs: 60_000, alive: true, started: true },
    ...{ outputBytes: 0, ...more },
  });
  let facts: object[] = [fact('agent-1'), fact('agent-2', { alive: false }), fact('agent-3', { ended: 5 })];
  let changed: () => void = () => undefined;
  const runs = {
    facts: async () => facts,
    onChange: (listen: () => void) => {
      changed = listen;
    },
    end: async (run: string, why: string) => {
      ended.push([run, why]);
      facts = [fact('agent-1', { ended: 6 }), fact('agent-3', { ended: 5 })];
    },
  };
  const { loop, calls } = stage({}, runs);
  await loop.begin();
  calls.splice(0);
  let over = false;
  const all = loop.endRuns().then(() => {
    over = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  expect([ended, over]).toEqual([[['agent-1', 'stopped']], false]);
  expect([loop.facts().paused, calls], 'only this service is paused').toEqual([true, []]);
  facts = [];
  changed();
  await vi.advanceTimersByTimeAsync(WORK_LIMITS.tickCoalesceMs);
  await all;
  expect([ended.length, over]).toEqual([1, true]);
});

verifies(
  'coord.tick.single',
  'the end of runs is not awaited once an answered errand has settled the last',
  async () => {
    const ending = {
      id: 'agent-1',
      taskId: 'a',
      fence: 1,
      startedAt: START,
      timeoutMs: 60_000,
      outputBytes: 0,
      ended: 5,
    };
    let facts: object[] = [{ ...ending, alive: true, started: true }];
    const { loop } = stage({}, { facts: async () => facts });
    await loop.begin();
    const all = loop.endRuns();
    await vi.advanceTimersByTimeAsync(0);
    facts = []; // and no run is left whose change could be heard
    loop.trigger();
    await vi.advanceTimersByTimeAsync(WORK_LIMITS.tickCoalesceMs);
    await all;
  },
);

verifies('coord.tick.single', 'a result that waits for a remote does not hold up the end of the service', async () => {
  const ended = { id: 'agent-1', taskId: 'a', fence: 1, startedAt: START, timeoutMs: 60_000, outputBytes: 0 };
  const run = { ...ended, alive: false, started: true, exit: { code: 0 } };
  const books = { commit: async () => ({ result: [] }) } as never; // no round decides anything
  const { loop } = stage({ books }, { facts: async () => [run] });
  await loop.begin();
  let over = false;
  const all = loop.endRuns().then(() => {
    over = true;
  });
  await vi.advanceTimersByTimeAsync(WORK_LIMITS.lastResultsMs - 1);
  expect(over).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await all;
});

verifies('coord.tick.single', 'what the next service has to settle are the commands in the project', async () => {
  const runs = {
    facts: async () => [{ id: 'agent-1' }, { id: 'agent-2', executor: 'claude' }, { id: 'agent-3', branch: 'b' }],
  };
  const { loop } = stage({}, runs);
  expect(await loop.unsettled()).toEqual(['agent-1']);
});

verifies('coord.tick.single', 'all is done when no run is left and no task that a command could do', async () => {
  let facts: object[] = [];
  const { loop, put, store } = stage({}, { facts: async () => facts });
  loop.pause();
  await loop.start();
  const heard: string[] = [];
  const wait = async (name: string) => {
    void loop.whenDrained().then(() => heard.push(name));
    await vi.advanceTimersByTimeAsync(WORK_LIMITS.tickCoalesceMs);
  };
  await wait('at once');
  expect(heard).toEqual(['at once']);
  await put('a', { exec: 'make' });
  await wait('when a is done');
  expect(heard).toHaveLength(1);
  await store.commit(() => ({
    events: [{ op: 'done', task_id: 'a', patch: [{ id: 'a', set: { status: 'done' } }] }],
    result: undefined,
  }));
  await loop.tick();
  expect(heard).toEqual(['at once', 'when a is done']);
  facts = [];
});
