import { expect } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { attemptPlaces, failureInWords, treeOfOrder } from '#operations/workers/attempt-places.js';
import { machines } from '#operations/workers/machines.js';
import { drain, stop, workerRow, workers } from '#operations/workers/workers.js';
import { world } from '../../e2e/world.js';
import { listedWorker, machinesWith } from '../../storages-in-memory.js';
import { verifies } from '../../verifies.js';

const START = Date.parse('2026-03-01T10:00:00Z');
const ATTEMPTS = [
  { run: 'agent-2', taskId: 'far' },
  { run: 'agent-3', taskId: 'near' },
];

verifies('fleet.see', 'a worker is listed with its state, its runs and when it was last heard', async () => {
  const own = world();
  const leaders = [{ key: 'k', name: 'ann', at: 'desk', leads: true, here: true }];
  const listed = [listedWorker('box-1', { seenAt: START, slots: 3, labels: ['gpu'], attempts: ATTEMPTS })];
  const database = async () => ({ workers: async () => listed, leaders: async () => leaders });
  own.context.storages = async () =>
    ({ named: 'shop', choice: { read: () => ({ project: 'shop' }) }, database }) as never;
  const row = {
    ...{ name: 'box-1', at: 'box-1.example.org', version: '0.1.0', slots: 3, labels: ['gpu'], executors: ['claude'] },
    ...{ state: 'working', used: 2, last_heard: '2026-03-01T10:00:00.000Z' },
    runs: [
      { run: 'agent-2', task: 'far' },
      { run: 'agent-3', task: 'near' },
    ],
  };
  expect(await workers.run(own.context, {})).toEqual({ project: 'shop', workers: [row], leaders });
  const state = (fields: object) => workerRow(listedWorker('box', fields)).state;
  expect([state({}), state({ unagreed: true }), state({ attempts: ATTEMPTS, unagreed: true })]).toEqual([
    ...['idle', 'unagreed', 'unagreed'],
  ]);
  expect([state({ asked: 'drain', unagreed: true }), state({ asked: 'stop', attempts: ATTEMPTS })]).toEqual([
    ...['draining', 'stopping'],
  ]);
  expect(state({ silent: true, asked: 'stop', attempts: ATTEMPTS })).toBe('silent');
});

verifies('fleet.see', 'a worker is asked to drain or to stop; an unknown one is refused', async () => {
  const own = world();
  const asked: unknown[] = [];
  const askWorker = async (name: string, what: string) => {
    asked.push([name, what]);
    return name === 'box-1';
  };
  const storages = {
    named: 'shop',
    choice: { read: () => ({ project: 'shop' }) },
    database: async () => ({ askWorker }),
  };
  own.context.storages = async () => storages as never;
  expect(await drain.run(own.context, { name: 'box-1' })).toEqual({ worker: 'box-1' });
  expect(await stop.run(own.context, { name: 'box-1' })).toEqual({ worker: 'box-1' });
  expect(asked).toEqual([
    ['box-1', 'drain'],
    ['box-1', 'stop'],
  ]);
  const unknown = { code: 'not_found', hint: '`troupe machines --workers` shows them.' };
  await expect(stop.run(own.context, { name: 'box-2' })).rejects.toMatchObject({
    ...{ ...unknown, message: 'There is no worker box-2.' },
  });
  await expect(drain.run(own.context, { name: 'x'.repeat(70) })).rejects.toMatchObject({
    ...{ ...unknown, message: `There is no worker ${'x'.repeat(64)}.` },
  });
});

verifies('fleet.see', 'workers are listed by need; what to do next begins with the most important', async () => {
  const own = world();
  own.coordinate({ executor: 'claude', holds: [] });
  const listed = [
    listedWorker('idle-2'),
    listedWorker('idle-1'),
    listedWorker('busy', { attempts: ATTEMPTS }),
    listedWorker('leaving', { asked: 'drain' }),
    listedWorker('ending', { asked: 'stop' }),
    listedWorker('new-1', { unagreed: true }),
    listedWorker('gone-1', { silent: true, unagreed: true, attempts: ATTEMPTS }),
    listedWorker("it's", { silent: true }),
  ];
  const { standing, ...rest } = machinesWith(START, { workers: listed, refused: { total: 1, latest: [] } });
  own.keepInDatabase(() => ({ ...rest, standing: { ...standing, leader: undefined } }));
  const answer = await machines.run(own.context, {});
  const names = answer.workers.rows.map(({ name }) => name);
  expect(names).toEqual(['gone-1', "it's", 'new-1', 'ending', 'leaving', 'busy', 'idle-1', 'idle-2']);
  expect([answer.leader, answer.silent, answer.slots, answer.workers.total]).toEqual([
    ...[null, 2, { total: 24, used: 2 }, 8],
  ]);
  expect(answer.workers.rows[5]?.runs).toEqual([
    { run: 'agent-2', task: 'far', title: 'far' },
    { run: 'agent-3', task: 'near', title: 'near' },
  ]);
  expect(answer.next.map(({ about, command }) => [about, command])).toEqual([
    ['leader', 'troupe service start'],
    ['silent', 'troupe worker stop gone-1'],
    ['silent', "troupe worker stop 'it'\\''s'"],
    ['unagreed', expect.stringContaining('troupe worker agree')],
  ]);
  const latest = [{ run: 'agent-0', at: START }];
  own.keepInDatabase(() => ({ ...rest, standing, workers: [], refused: { total: 1, latest } }));
  const none = await machines.run(own.context, {});
  expect(none).toEqual({
    ...{ at: '2026-03-01T10:00:00.000Z', kept: 'database', standbys: [], workers: { rows: [], total: 0 }, silent: 0 },
    database: { project: 'shop', place: 'db.example.org:5432/troupe', server: '15.8' },
    leader: { who: 'process 4312 on desk', machine: 'desk', epoch: 3, paused: false },
    here: { slots: 4, used: 0, works: true, runs: [] },
    slots: { total: 0, used: 0 },
    waiting: { rows: [], unmet: 0, total: 0 },
    refused: { total: 1, latest: [{ run: 'agent-0', at: '2026-03-01T10:00:00.000Z' }] },
    next: none.next,
  });
  expect(none.next.map(({ about }) => about)).toEqual(['workers', 'workers', 'standbys']);
});

verifies('fleet.see', 'a project in files has no workers, and says how other machines could join', async () => {
  const own = world();
  await own.add('near', { exec: 'make', status: 'in-progress', assigned: 'agent-1', fence: 1 });
  const row = { id: 'agent-1', task_id: 'near', executor: 'shell', status: 'working', started_at: 'then' } as const;
  own.coordinate({
    executor: 'claude',
    holds: [],
    agents: async () => [row, { ...row, id: 'agent-2', status: 'done' }],
  });
  const { next, ...answer } = await machines.run(own.context, {});
  expect(answer).toEqual({
    ...{ at: '2026-03-01T10:00:00.000Z', kept: 'files', standbys: [], workers: { rows: [], total: 0 }, silent: 0 },
    leader: { who: 'pid 12 on desk', machine: 'desk', epoch: 0, paused: false },
    here: {
      ...{ slots: 4, used: 1, works: true },
      runs: [{ run: 'agent-1', task: 'near', title: 'near', executor: 'shell', started_at: 'then' }],
    },
    slots: { total: 0, used: 0 },
    waiting: { rows: [], unmet: 0, total: 0 },
    refused: { total: 0, latest: [] },
  });
  expect(next.map(({ about }) => about)).toEqual(['place']);
});

verifies('fleet.code', 'a worker publishes, parks and clears the worktree of an attempt', async () => {
  const calls: unknown[] = [];
  const answers: Record<string, unknown> = { publish: 'published', park: true };
  const step =
    (name: string) =>
    async (...words: unknown[]) => {
      calls.push([name, ...words]);
      return answers[name];
    };
  const trees = { publish: step('publish'), park: step('park'), remove: step('remove') };
  const places = attemptPlaces({ trees: async () => trees } as never);
  const order = { plan: { id: 'agent-2' }, tree: { task: 'far', attempt: 2, base: 'c0' } } as never;
  const key = { task: 'far', attempt: 2 };
  expect([await places.publish(order), await places.park(order)]).toEqual(['published', 'refs/wg/park/agent-2']);
  answers['park'] = false;
  expect(await places.park(order)).toBeUndefined();
  const cleared = async (removal: object) => {
    answers['remove'] = removal;
    return await places.clear(order);
  };
  const busy = { removed: 'nothing', reason: 'busy', text: 'a process is in it' };
  expect(await cleared({ removed: 'tree' })).toBeUndefined();
  expect(await cleared(busy)).toBe('a process is in it');
  expect(await cleared({ ...busy, reason: 'absent' })).toBeUndefined();
  expect(calls).toEqual([
    ['publish', key],
    ['park', key, 'refs/wg/park/agent-2'],
    ['park', key, 'refs/wg/park/agent-2'],
    ...Array(3).fill(['remove', { ...key, branchStays: true }]),
  ]);
  const tree = (mode?: string) =>
    treeOfOrder({ plan: mode === undefined ? {} : { tree: { attempt: 9, mode } }, tree: key } as never);
  expect([tree(), tree('light')]).toEqual([
    { attempt: 2, mode: 'shell' },
    { attempt: 2, mode: 'light' },
  ]);
  const failed = new TroupeError('git_failed', { what: 'It failed.', why: 'No space.' });
  expect([failureInWords(failed), failureInWords(new TroupeError('git_failed', { what: 'It failed.' }))]).toEqual([
    ...['It failed. No space.', 'It failed.'],
  ]);
});
