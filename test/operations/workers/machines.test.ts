import { expect } from 'vitest';
import { NOTHING_SPENT } from '#core/coordinator/snapshot.js';
import { NO_WORKER_FACTS, type WorkerFacts } from '#core/coordinator/worker-facts.js';
import { statusNow } from '#operations/insight/now.js';
import { statusWork } from '#operations/insight/work.js';
import { machines } from '#operations/workers/machines.js';
import type { ListedRun } from '#ports/run-host.js';
import { world } from '../../e2e/world.js';
import { listedWorker, machinesWith } from '../../storages-in-memory.js';
import { verifies } from '../../verifies.js';

const START = Date.parse('2026-03-01T10:00:00Z');
const ago = (seconds: number) => START - seconds * 1_000;
const run = (id: string, task: string, worker?: string): ListedRun => ({
  ...{ id, task_id: task, executor: 'shell', status: 'working', started_at: '2026-03-01T09:58:00.000Z' },
  ...(worker === undefined ? {} : { worker }),
});
const elsewhere = (fields: Partial<WorkerFacts>): WorkerFacts => ({
  ...{ ...NO_WORKER_FACTS, trees: { isolation: 'auto', repository: 'work-tree' }, follow: 'integration' },
  ...fields,
});

const SPENDING = { caps: {}, reserve: { usd: 0, tokens: 0 }, spent: NOTHING_SPENT, reserved: new Map() };

verifies(
  ['fleet.see', 'fleet.leader'],
  'one question answers who leads, who works and what nobody can take',
  async () => {
    const own = world();
    await own.add('far', { title: 'Train it', exec: 'make', status: 'in-progress', assigned: 'agent-2', fence: 1 });
    await own.add('near', { exec: 'make', status: 'in-progress', assigned: 'agent-1', fence: 1 });
    await own.add('gpu', { title: 'On a card', exec: 'make', needs: ['gpu'] });
    await own.add('big', { exec: 'make', needs: ['big'] });
    await own.add('gpu-2', { exec: 'make', needs: ['gpu'] });
    await own.add('later', { exec: 'make', needs: ['gpu'], after: ['far'] });
    const rooms = [{ name: 'box-1', executors: [], labels: ['big'], free: 0 }];
    own.coordinate({
      ...{
        executor: 'claude',
        holds: [],
        agents: async () => [run('agent-1', 'near'), run('agent-2', 'far', 'box-1')],
      },
      elsewhere: elsewhere({ rooms, silent: [{ name: 'box-2', since: ago(90) }] }),
    });
    const attempts = [{ run: 'agent-2', taskId: 'far' }];
    own.keepInDatabase(() =>
      machinesWith(START, {
        standbys: ['process 7 on laptop'],
        workers: [
          listedWorker('box-1', { slots: 1, labels: ['big'], attempts, seenAt: ago(4) }),
          listedWorker('box-2', { seenAt: ago(90), silent: true }),
          listedWorker('box-3', { seenAt: ago(1), asked: 'drain' }),
        ],
        refused: { total: 7, latest: [{ run: 'agent-0', at: ago(60), taskId: 'far', worker: 'box-2' }] },
      }),
    );
    const answer = await machines.run(own.context, {});
    expect(answer).toMatchObject({
      ...{ at: '2026-03-01T10:00:00.000Z', kept: 'database' },
      database: { project: 'shop', place: 'db.example.org:5432/troupe' },
      leader: { who: 'process 4312 on desk', machine: 'desk', epoch: 3, paused: false },
      standbys: [{ who: 'process 7 on laptop', machine: 'laptop' }],
      here: { slots: 4, used: 1, works: true, runs: [{ run: 'agent-1', task: 'near' }] },
      ...{ slots: { total: 5, used: 1 }, silent: 1 },
      refused: { total: 7, latest: [{ run: 'agent-0', task: 'far', worker: 'box-2', at: '2026-03-01T09:59:00.000Z' }] },
    });
    expect(answer.workers.rows.map(({ name, state, used }) => [name, state, used])).toEqual([
      ['box-2', 'silent', 0],
      ['box-3', 'draining', 0],
      ['box-1', 'working', 1],
    ]);
    expect(answer.workers.rows[2]?.runs).toEqual([
      {
        ...{ run: 'agent-2', task: 'far', title: 'Train it' },
        ...{ executor: 'shell', started_at: '2026-03-01T09:58:00.000Z' },
      },
    ]);
    expect(answer.waiting).toEqual({
      rows: [
        {
          ...{ task: 'gpu', title: 'On a card', others: 1, kind: 'unmet' },
          reason: 'it needs label gpu; no worker has it',
          command: 'troupe worker start --label gpu',
        },
        {
          ...{ task: 'big', title: 'big', others: 0, kind: 'full' },
          reason: 'all slots of box-1, the only worker that can take it, are taken',
          command: 'troupe worker start --label big',
        },
      ],
      ...{ unmet: 2, total: 3 },
    });
    expect(answer.next.map(({ about, command }) => [about, command])).toEqual([['silent', 'troupe worker stop box-2']]);
  },
);

verifies(
  'fleet.see',
  'what there is to do next: in files, without a leader, a worker, a standby or a remote',
  async () => {
    const own = world();
    const steps = async () =>
      (await machines.run(own.context, {})).next.map(({ about, command }) => `${about}: ${command}`);
    expect(await steps()).toEqual(['place: troupe database move --to ADDRESS', 'leader: troupe service start']);
    expect(await machines.run(own.context, {})).toMatchObject({ kept: 'files', leader: null, here: { slots: null } });
    own.coordinate({ executor: 'claude', holds: [] });
    expect(await steps()).toEqual(['place: troupe database move --to ADDRESS']);
    expect((await machines.run(own.context, {})).leader).toEqual({
      ...{ who: 'pid 12 on desk', machine: 'desk', epoch: 0, paused: false },
    });
    let now = machinesWith(START);
    own.keepInDatabase(() => now);
    expect(await steps()).toEqual([
      'workers: troupe database use ADDRESS',
      'workers: troupe worker start',
      'standbys: troupe service start',
    ]);
    now = machinesWith(START, { workers: [listedWorker('box-1')], standbys: ['process 7 on laptop'] });
    expect(await steps()).toEqual([]);
    own.coordinate({ executor: 'claude', holds: [], elsewhere: elsewhere({ unused: ['box-1'] }) });
    expect(await steps()).toEqual(['remote: troupe config set database.remote origin']);
    const { leader: _, ...standing } = now.standing;
    now = { ...now, standing: { ...standing, leader: undefined } };
    own.context.coordinator = undefined as never;
    expect(await steps()).toEqual(['leader: troupe service start']);
  },
);

verifies('fleet.see', 'status and top name the worker of a run, and those that are silent', async () => {
  const own = world();
  await own.add('far', { title: 'Train it', exec: 'make', status: 'in-progress', assigned: 'agent-2', fence: 1 });
  const silent = [{ name: 'box-2', since: ago(90) }];
  const rooms = [{ name: 'box-1', executors: [], labels: [], free: 3 }];
  own.coordinate({
    ...{ executor: 'claude', holds: [], agents: async () => [run('agent-2', 'far', 'box-1')] },
    ...{ elsewhere: elsewhere({ rooms, silent }), spending: async () => SPENDING },
  });
  const told = [{ name: 'box-2', since: '2026-03-01T09:58:30.000Z' }];
  expect((await statusNow.run(own.context, {})).silent_workers).toEqual(told);
  expect(await statusWork.run(own.context, {})).toMatchObject({
    runs: [{ run: 'agent-2', worker: 'box-1' }],
    slots: { taken: 0, most: 4 },
    workers: { count: 1, taken: 1, free: 3, silent: told },
  });
});
