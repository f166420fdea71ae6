import { expect } from 'vitest';
import { NOTHING_SPENT } from '#core/coordinator/snapshot.js';
import { NO_WORKER_FACTS } from '#core/coordinator/worker-facts.js';
import { isTask } from '#core/graph/task.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { awaitedAnswers } from '#operations/insight/awaited-answers.js';
import { tasksAtWork } from '#operations/insight/live.js';
import { statusNow } from '#operations/insight/now.js';
import { statusWork } from '#operations/insight/work.js';
import type { ListedRun } from '#ports/run-host.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';

const START = Date.parse('2026-03-01T10:00:00Z');
const row = (
  id: string,
  task_id: string,
  status: ListedRun['status'] = 'working',
  more: Partial<ListedRun> = {},
): ListedRun => ({
  ...{ id, task_id, executor: 'shell', status, started_at: '2026-03-01T09:58:00.000Z' },
  ...more,
});
const held = (assigned?: string) => ({
  status: 'in-progress',
  fence: 1,
  ...(assigned === undefined ? {} : { assigned }),
});

verifies('ui.status.why', 'a task is at work if its run is, or if its coordinator says so', async () => {
  const own = world();
  await own.addAll([
    { id: 'a', ...held('agent-1') },
    { id: 'b', ...held('agent-2') },
    { id: 'c', ...held('agent-3') },
    { id: 'd', ...held() },
    { id: 'e', status: 'open', assigned: 'agent-1' },
  ]);
  own.atWork.add('agent-1');
  own.ended.add('agent-2');
  const live = async (...listed: ListedRun[]) => {
    own.context.coordinator = undefined as never;
    if (listed.length > 0) own.coordinate({ executor: 'claude', holds: [], agents: async () => listed });
    const found = await tasksAtWork(own.context, [...(await own.store.view()).nodes()].filter(isTask));
    return [...found].sort(([left], [right]) => (left < right ? -1 : 1));
  };
  const seen = [
    ['a', true],
    ['b', 'finishing'],
  ];
  expect(await live()).toEqual(seen);
  expect(await live(row('agent-3', 'c'))).toEqual([...seen, ['c', true]]);
  expect(await live(row('agent-3', 'c', 'done')), 'it is over').toEqual(seen);
  expect(await live(row('agent-3', 'a'), row('agent-1', 'c')), 'another task').toEqual(seen);
  expect(await live(row('agent-1', 'a', 'dead'), row('agent-2', 'b', 'dead'))).toEqual([]);
  const runs = () => Promise.reject(new Error('no run is looked at'));
  expect([...(await tasksAtWork({ ...own.context, runs }, []))]).toEqual([]);
});

verifies('ui.status.why', 'status and top count slots here and at workers, and the costs of runs', async () => {
  const own = world();
  await own.addAll([
    { id: 'near', title: 'Near', ...held('agent-1') },
    { id: 'far', title: 'Far', ...held('agent-2') },
    { id: 'mine', title: 'Mine', started_at: '2026-03-01T09:00:00.000Z', ...held('ann') },
    { id: 'gate', title: 'Gate', status: 'pending-validation', member: 'Bo' },
  ]);
  own.atWork.add('agent-1');
  const usage = { input_tokens: 10, output_tokens: 5, cost_usd: 0.5 } as never;
  const listed = [
    row('agent-1', 'near', 'working', { usage, model: 'opus', last_heartbeat: '2026-03-01T09:59:00.000Z' }),
    row('agent-2', 'far', 'working', {
      worker: 'box-1',
      usage: { ...(usage as object), estimated_usd: 0.25 } as never,
    }),
    row('agent-3', 'gone', 'done', { usage: { input_tokens: 1 } as never }),
  ];
  const rooms = [
    { name: 'box-1', executors: [], labels: [], free: 3 },
    { name: 'box-2', executors: [], labels: [], free: -1 },
  ];
  const silent = [{ name: 'box-3', since: START - 90_000 }];
  const spent = { ...NOTHING_SPENT, usdToday: 1, usdTotal: 2, tokensToday: 3, usdEstimatedToday: 4 };
  const reserved = new Map([
    ['a', { usd: 0.5, tokens: 1 }],
    ['b', { usd: 0.25, tokens: 1 }],
  ]);
  own.coordinate({
    ...{
      executor: 'claude',
      missing: { text: 'why', command: 'y' },
      holds: [],
      paused: true,
      agents: async () => listed,
    },
    spending: async () =>
      ({
        caps: { usdPerDay: 9, tokensPerDay: 8, usdTotal: 7, usdByOption: 6 },
        reserve: { usd: 0, tokens: 0 },
        spent: { ...spent, usdEstimatedTotal: 5, tokensUnpricedToday: 6 },
        reserved,
      }) as never,
    elsewhere: {
      ...{ ...NO_WORKER_FACTS, trees: { isolation: 'auto', repository: 'work-tree' }, follow: 'integration' },
      ...{ rooms, silent },
    } as never,
  });
  const told = [{ name: 'box-3', since: '2026-03-01T09:58:30.000Z' }];
  const { runs, ...answer } = await statusWork.run(own.context, {});
  expect(answer).toEqual({
    ...{ at: '2026-03-01T10:00:00.000Z', seq: 4, held_clients: [], slots: { taken: 1, most: 4 } },
    service: { running: true, paused: true, executor: 'claude', missing: 'why' },
    workers: { count: 2, taken: 1, free: 3, silent: told },
    people: [{ task: 'mine', title: 'Mine', who: 'ann', since: '2026-03-01T09:00:00.000Z' }],
    gates: [{ task: 'gate', title: 'Gate', who: 'Bo', since: null }],
    counts: expect.objectContaining({ 'in-progress': 3, ready: 0, open: 0 }),
    spend: {
      ...{ usd_today: 1, usd_total: 2, tokens_today: 3, estimated_today: 4, estimated_total: 5 },
      ...{ tokens_unpriced_today: 6, usd_reserved: 0.75, usd_per_day: 9, usd_cap: 6, tokens_per_day: 8 },
    },
  });
  const known = { member: null, executor: 'shell', started_at: '2026-03-01T09:58:00.000Z', last_line: '' };
  expect(runs).toEqual([
    {
      ...{ ...known, run: 'agent-1', task: 'near', title: 'Near', model: 'opus', worker: null, tokens: 15 },
      ...{ cost_usd: 0.5, estimated_usd: null, last_sign: '2026-03-01T09:59:00.000Z' },
    },
    {
      ...{ ...known, run: 'agent-2', task: 'far', title: 'Far', model: null, worker: 'box-1', tokens: 15 },
      ...{ cost_usd: 0.5, estimated_usd: 0.25, last_sign: null },
    },
  ]);
  const now = await statusNow.run(own.context, {});
  expect(now.silent_workers).toEqual(told);
  expect(now.costs).toEqual({ near: { usd: 0.5, estimated: 0 }, far: { usd: 0.5, estimated: 0.25 } });
  own.context.coordinator = undefined as never;
  const alone = await statusWork.run(own.context, {});
  expect([alone.service, alone.slots, alone.workers]).toEqual([
    { running: false, paused: false, executor: null, missing: null },
    { taken: 0, most: null },
    { count: 0, taken: 0, free: 0, silent: [] },
  ]);
  expect((await statusNow.run(own.context, {})).costs).toEqual({});
});

verifies('ui.status.why', 'at most as many runs are read as are shown', async () => {
  const own = world();
  const many = Array.from({ length: TEAM_LIMITS.topRuns + 1 }, (_, number) => row(`agent-${number}`, `t-${number}`));
  const spending = async () => ({ caps: {}, reserve: {}, spent: NOTHING_SPENT, reserved: new Map() }) as never;
  own.coordinate({ executor: 'claude', holds: [], agents: async () => many, spending });
  const { runs, slots, spend } = await statusWork.run(own.context, {});
  expect([runs.length, slots.taken, spend.usd_cap]).toEqual([TEAM_LIMITS.topRuns, TEAM_LIMITS.topRuns + 1, null]);
});

verifies('ui.status.why', 'questions between tasks are looked at where they can be read', async () => {
  const open = [
    { openedBy: 'a', taskId: 'b', kind: 'question' },
    { openedBy: 'b', taskId: 'c', kind: 'request' },
    { openedBy: null, taskId: 'c', kind: 'question' },
    { openedBy: 'a', taskId: null, kind: 'question' },
  ];
  const told: string[] = [];
  const tell = (text: string) => told.push(text);
  expect(await awaitedAnswers({ mail: async () => ({ open: async () => open }) as never }, tell)).toEqual([
    { task: 'a', from: 'b', askedBack: true },
    { task: 'b', from: 'c', askedBack: false },
  ]);
  expect(told).toEqual([]);
  expect(await awaitedAnswers({ mail: () => Promise.reject(new Error('It is locked.')) }, tell)).toEqual([]);
  expect(told).toEqual([expect.stringMatching(/^conversations: ./)]);
});
