import { expect, onTestFinished, vi } from 'vitest';
import { addTask } from '#core/graph/add.js';
import { claimTask } from '#core/graph/moves.js';
import { TroupeError } from '#kernel/errors.js';
import type { Clients } from '#operations/coordinator/clients.js';
import { CoordinatorLoop } from '#operations/coordinator/coordinator-loop.js';
import type { RunHost } from '#ports/run-host.js';
import { collect } from '../../contract/graph-store.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { PATIENCE } from '../../patience.js';
import { NO_CLIENTS, quietHosts, quietParts } from '../../quiet-parts.js';
import { verifies } from '../../verifies.js';
import { NOW } from './stage.js';

/** A host in which nothing runs, and a client that a test counts the uses of. */
function world(allowance: Awaited<ReturnType<Clients['facts']>>['allowance']) {
  const calls: string[] = [];
  const failing = new Set<string>();
  const gate: { wait?: Promise<void>; open?: () => void } = {};
  const clock = { time: NOW, now: () => clock.time };
  const store = new GraphInMemory(clock);
  const runs: RunHost = {
    prepare: async ({ taskId }) => void calls.push(`set down ${taskId}`),
    discard: async (run) => void calls.push(`discard ${run}`),
    start: async (plan) => void calls.push(`start ${plan.taskId}`),
    refuse: async ({ taskId }, reason) => void calls.push(`refuse ${taskId} ${reason}`),
    adopt: async () => 0,
    facts: async () => [],
    fact: async () => undefined,
    listed: async () => [],
    allow: async () => void calls.push('allow'),
    end: async () => void calls.push('end'),
    beat: async () => undefined,
    forget: async () => void calls.push('forget'),
    onChange: () => undefined,
    close: async () => undefined,
  };
  const clients: Clients = {
    facts: async () => ({ ...(await NO_CLIENTS.facts()), executor: 'claude', allowance }),
    usableAmong: async () => new Set(),
    prepare: async (_view, { task }) => {
      calls.push(`prepare ${task}`);
      await gate.wait;
      if (failing.has(task)) throw new TroupeError('executor_missing', { what: 'not ready for work' });
      const request = { taskId: task, runId: 'agent-1', mode: 'full', prompt: '', agents: {} } as const;
      return { client: { request, silentEnd: 'ask', mail: 'none' } };
    },
    leave: async () => undefined,
    enter: async () => undefined,
  };
  const loop = new CoordinatorLoop({
    ...quietParts({ store, runs }),
    clients,
    hosts: (tools) => quietHosts(tools, 4),
  });
  onTestFinished(async () => {
    await loop.stop();
    await store.close();
  });
  return { calls, failing, gate, clock, store, loop, log: () => collect(store.entries(1)) };
}

const UNBOUNDED = { caps: {}, reserve: { usd: 1, tokens: 1_000 } };

verifies(
  'coord.tick.idle',
  'worked example 8: ten minutes without ready work start nothing, ask nobody and write nothing',
  async () => {
    const { calls, clock, store, loop, log } = world(UNBOUNDED);
    const options = { now: NOW };
    await store.commit((view) =>
      addTask(view, { title: 'Later', id: 'later', not_before: '2030-01-01T00:00:00Z' }, options),
    );
    await store.commit((view) => addTask(view, { title: 'Paused', id: 'paused', exec: 'true', paused: true }, options));
    await store.commit((view) =>
      addTask(view, { title: 'Held', id: 'held', after: ['paused'], exec: 'true' }, options),
    );
    await store.commit((view) => addTask(view, { title: 'By hand', id: 'hand' }, options));
    await store.commit((view) => claimTask(view, 'hand', { now: NOW, by: { name: 'ann' } }));
    await loop.start();
    expect(loop.facts()).not.toHaveProperty('budget');
    const before = (await log()).length;
    const { ticks } = loop.facts();
    for (let second = 0; second < 600; second += 5) {
      clock.time += 5_000;
      await loop.tick();
    }
    expect(loop.facts().ticks - ticks).toBeGreaterThanOrEqual(120);
    expect([calls, (await log()).length]).toEqual([[], before]);
  },
);

verifies(
  'coord.tick.triggers',
  'work whose time comes is begun without anybody asking: the next look is at that moment',
  async () => {
    const { calls, clock, store, loop } = world(UNBOUNDED);
    const soon = new Date(NOW + 20).toISOString();
    await store.commit((view) =>
      addTask(view, { title: 'Soon', id: 'soon', exec: 'true', not_before: soon }, { now: NOW }),
    );
    await loop.start();
    expect(calls).toEqual([]);
    clock.time += 20;
    await vi.waitFor(() => expect(calls).toContain('start soon'), PATIENCE);
  },
);

verifies(
  'dispatch.claim',
  'the claim and what it sets aside are one transaction; whoever lost the race leaves nothing',
  async () => {
    const { calls, store, loop, log } = world({ caps: { usdPerDay: 1 }, reserve: { usd: 1, tokens: 1_000 } });
    for (const id of ['a', 'b']) await store.commit((view) => addTask(view, { title: id, id }, { now: NOW }));
    // Somebody takes the first while the tick gathers its facts: what is decided is decided on the graph as it then is.
    const taken = store.commit((view) => claimTask(view, 'a', { now: NOW, by: { name: 'ann' } }));
    await loop.start();
    await taken;
    expect(loop.facts().budget).toMatchObject({ caps: { usdPerDay: 1 } });
    await vi.waitFor(() => expect(calls).toContain('start b'), PATIENCE);
    expect(calls.filter((call) => call.endsWith(' a'))).toEqual([]);
    const claims = (await log()).filter(({ op, actor }) => op === 'claim' && actor !== 'ann');
    expect(claims.length).toBeGreaterThan(0);
    for (const claim of claims) {
      expect(claim).toMatchObject({ task_id: 'b', detail: { reserve: { usd: 1, tokens: 1_000 } } });
      const spawned = (await log()).find(({ seq }) => seq === claim.seq + 1);
      expect([spawned?.op, claim.tx?.[1] === spawned?.tx?.[1] && claim.tx !== undefined]).toEqual([
        'spawn_agent',
        true,
      ]);
    }
  },
);

verifies(
  ['dispatch.prepare', 'dispatch.claim'],
  'what cannot be prepared leaves its task untouched; what was prepared for a claim that another won is taken away',
  async () => {
    const { calls, failing, gate, store, loop, log } = world(UNBOUNDED);
    failing.add('a');
    await store.commit((view) => addTask(view, { title: 'a', id: 'a' }, { now: NOW }));
    await loop.start();
    await loop.tick();
    await loop.tick();
    expect(calls).toEqual(['prepare a']);
    expect((await log()).map(({ op }) => op)).toEqual(['add_task']);
    expect(loop.facts().unprepared?.get('a')).toMatch(/^not ready for work Install it, /);

    gate.wait = new Promise((resolve) => {
      gate.open = resolve;
    });
    await store.commit((view) => addTask(view, { title: 'b', id: 'b' }, { now: NOW }));
    await loop.tick();
    await store.commit((view) => claimTask(view, 'b', { now: NOW, by: { name: 'ann' } }));
    gate.open?.();
    await vi.waitFor(() => expect(calls).toContain('discard agent-2'), PATIENCE);
    expect(calls).toEqual(['prepare a', 'prepare b', 'set down b', 'discard agent-2']);
    expect((await log()).filter(({ op }) => op === 'claim')).toHaveLength(1);
  },
);
