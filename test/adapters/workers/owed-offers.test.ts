import { expect } from 'vitest';
import { HandedOutRuns } from '#adapters/workers/handed-out-runs.js';
import { TroupeError } from '#kernel/errors.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import type { RunPlan } from '#ports/run-host.js';
import { sealFor } from '../../seal.js';
import { verifies } from '../../verifies.js';
import { WorkersInMemory } from '../../workers-in-memory.js';

const PLAN: RunPlan = {
  ...{ id: 'agent-1', taskId: 'build', fence: 1, timeoutMs: 60_000, startedAt: 0, command: 'true', check: '' },
  ...{ environment: {}, sandboxed: true },
};

/** Runs for workers whose board refuses offers as long as it is told to, with an attempt that is handed to them. */
function world() {
  const workers = new WorkersInMemory({ now: () => 0 });
  const board = workers.board();
  const refuses: { with?: TroupeError } = {};
  const runs = new HandedOutRuns({
    board: {
      ...board,
      offer: async (attempt, order) => {
        if (refuses.with) throw refuses.with;
        await board.offer(attempt, order);
      },
      allow: async (run, limit) => {
        if (refuses.with) throw refuses.with;
        await board.allow(run, limit);
      },
    },
    clock: workers.clock,
    seal: sealFor('shop'),
    trees: async () => ({ placeOf: async () => ({ branch: 'wg/build/1', folder: 'build-1', path: '/build-1' }) }),
    terms: { untakenMs: 1_000, leaseMs: 1_000 },
  });
  runs.assignRun('agent-1', {
    labels: [],
    setsUp: false,
    tree: { task: 'build', attempt: 1, mode: 'own', request: { task: 'build', attempt: 1 } },
  } as unknown as Parameters<HandedOutRuns['assignRun']>[1]);
  const refuse = (code: ConstructorParameters<typeof TroupeError>[0], retriable: boolean) => {
    refuses.with = new TroupeError(code, { details: { retriable } });
  };
  const goOn = async () => {
    delete refuses.with;
    await runs.adopt([]); // looks at the board
  };
  return { workers, runs, refuse, goOn };
}

verifies(
  'fleet.faults',
  'what is decided is offered as soon as the database takes it, and its task waits',
  async () => {
    const { workers, runs, refuse, goOn } = world();
    refuse('database_read_only', true);
    await runs.start(PLAN);
    expect(await runs.facts()).toMatchObject([{ id: 'agent-1', alive: true }]);
    expect(workers.attempts.size).toBe(0);
    await goOn();
    expect([...workers.attempts.values()]).toMatchObject([{ state: 'offered', card: { run: 'agent-1' } }]);
    expect(await runs.facts()).toMatchObject([{ id: 'agent-1', alive: true }]);
  },
);

verifies('fleet.faults', 'what is withdrawn before it could be offered is offered to nobody', async () => {
  const { workers, runs, refuse, goOn } = world();
  refuse('database_away', true);
  await runs.start(PLAN);
  await runs.end('agent-1', 'superseded');
  expect(await runs.facts()).toMatchObject([{ id: 'agent-1', alive: false }]);
  await goOn();
  expect(workers.attempts.size).toBe(0);
});

verifies('fleet.faults', 'a limit that was raised meanwhile is told after the offer', async () => {
  const { workers, runs, refuse, goOn } = world();
  refuse('database_read_only', true);
  await runs.start(PLAN);
  await runs.allow('agent-1', { usd: 2 });
  await runs.allow('agent-1', { usd: 3 });
  await goOn();
  const [attempt] = workers.attempts.values();
  expect(attempt).toMatchObject({ state: 'offered' });
  expect(JSON.parse(attempt?.limit?.text ?? '{}')).toEqual({ run: 'agent-1', fence: 1, limit: { usd: 3 } });
});

verifies('fleet.faults', 'what the database refuses for good ends with the reason, as a run of workers', async () => {
  const { workers, runs, refuse } = world();
  refuse('database_refused', false);
  await expect(runs.start(PLAN)).rejects.toMatchObject({ code: 'database_refused' });
  expect(runs.has('agent-1'), 'it is refused where it was handed').toBe(true);
  await runs.refuse(PLAN, 'the database grants nothing');
  expect([...workers.attempts.values()]).toMatchObject([{ outcome: 'refused', reason: 'the database grants nothing' }]);
  expect(await runs.facts()).toMatchObject([{ id: 'agent-1', alive: false, started: false }]);
});

verifies('fleet.end', 'ended attempts of long ago are removed, by a leader at intervals', async () => {
  let [time, prunes] = [0, 0];
  const workers = new WorkersInMemory({ now: () => time });
  const board = workers.board();
  const runs = new HandedOutRuns({
    board: { ...board, prune: async () => void prunes++ },
    clock: workers.clock,
    seal: sealFor('shop'),
    trees: async () => ({ placeOf: async () => ({ branch: 'b', folder: 'f', path: '/f' }) }),
    terms: { untakenMs: 1_000, leaseMs: 1_000 },
  });
  const { attemptsPruneMs } = DATABASE_LIMITS;
  const counts: number[] = [];
  for (const at of [attemptsPruneMs, attemptsPruneMs + 1, 2 * attemptsPruneMs + 1, 2 * attemptsPruneMs + 2]) {
    time = at;
    await runs.adopt([]); // looks twice
    counts.push(prunes);
  }
  expect(counts).toEqual([0, 1, 1, 2]);
  await runs.close();
});

verifies('fleet.offer', 'the board says of an attempt what the next leader has to know', async () => {
  const client = { request: { model: 'opus' }, silentEnd: 'ask', mail: 'answer' } as unknown as RunPlan['client'];
  const usual = { request: {}, silentEnd: 'done', mail: 'none' } as unknown as RunPlan['client'];
  const card = { run: 'agent-1', taskId: 'build', fence: 1, startedAt: 5, timeoutMs: 60_000 };
  const place = { branch: 'wg/build/1', folder: 'build-1' };
  const plans: [Partial<RunPlan>, object][] = [
    [{}, {}],
    [
      { executor: 'claude', client },
      { executor: 'claude', model: 'opus', silentEnd: 'ask', mail: 'answer' },
    ],
    [{ executor: 'claude', client: usual }, { executor: 'claude' }],
  ] as [Partial<RunPlan>, object][];
  for (const [more, told] of plans) {
    const { workers, runs } = world();
    await runs.prepare({ ...PLAN, ...more });
    expect(workers.attempts.size, 'only a client has something to prepare').toBe(more.executor === undefined ? 0 : 1);
    await runs.start({ ...PLAN, ...more, startedAt: 5 });
    const [attempt] = workers.attempts.values();
    expect(attempt).toMatchObject({ state: 'offered', labels: [] });
    expect(attempt?.card).toEqual({ ...card, ...place, ...told });
    expect(JSON.parse(attempt?.order?.text ?? '')).toMatchObject({ plan: { startedAt: 5 }, setsUp: false });
    expect([runs.has('agent-1'), runs.has('agent-2'), await runs.beat('agent-1', 1)]).toEqual([true, false, undefined]);
    await runs.close();
    await runs.close();
  }
  const { workers, runs } = world();
  await runs.prepare({ ...PLAN, executor: 'claude' });
  await runs.discard('agent-1');
  expect([workers.attempts.size, runs.has('agent-1')]).toEqual([0, false]);
});
