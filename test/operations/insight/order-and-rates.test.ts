import { expect } from 'vitest';
import { statusNow } from '#operations/insight/now.js';
import { analysisReport } from '#operations/insight/report.js';
import { graphPicture } from '#operations/insight/status-picture.js';
import { agreedTo } from '../../agreed.js';
import { agent, role, tradeoff } from '../../core/agency/people.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';

verifies(
  'agency.rate',
  'the rate of an agent, also of a retired one, and that of a member reach the figures',
  async () => {
    const own = world();
    const [paid, gone, free] = [agent('Paid'), agent('Gone'), agent('Free')];
    const records = [
      { kind: 'role', value: role('Paid'), retired: false },
      { kind: 'role', value: role('Gone'), retired: false },
      { kind: 'role', value: role('Free'), retired: false },
      { kind: 'tradeoff', value: tradeoff('Careful'), retired: false },
      { kind: 'agent', value: { ...paid, rate: 10 }, retired: false },
      { kind: 'agent', value: { ...gone, rate: 100 }, retired: true },
      { kind: 'agent', value: free, retired: false },
    ].map(({ kind, value, retired }) => ({
      kind,
      id: value.id,
      file: value.id,
      retired,
      value: structuredClone(value),
    }));
    const estimate = { hours: 2 };
    await own.addAll([
      { id: 'a', estimate, agent: paid.id },
      { id: 'b', estimate, agent: gone.id, after: ['a'] },
      { id: 'c', estimate, agent: free.id, after: ['b'] },
      { id: 'd', estimate, after: ['c'] },
      { id: 'e', estimate, member: 'Trinity', after: ['d'] },
      { id: 'f', estimate, member: 'Nobody', after: ['e'] },
    ]);
    const costs = async () =>
      await Promise.all(
        ['a', 'b', 'c', 'd', 'e', 'f'].map(
          async (id) => (await analysisReport.run(own.context, { id })).cost?.total_cost,
        ),
      );
    expect(await costs(), 'without a rate').toEqual(Array(6).fill(0));
    own.context.agency = async () => ({ read: async () => ({ records, warnings: [] }) }) as never;
    const members = [{ name: 'Trinity', agentId: paid.id }];
    own.context.squad = async () => ({ readTeam: async () => ({ members }) }) as never;
    expect(await costs()).toEqual([20, 220, 220, 220, 240, 240]);
    const { forecast, plan } = await analysisReport.run(own.context, { budget: 20 });
    expect(forecast?.remaining_work.total_cost).toBe(240);
    expect(plan?.selected.map(({ id, cost }) => [id, cost])).toEqual([['a', 20]]);
  },
);

verifies('ui.status.why', 'tasks that are not ready stand in order of work, then of creation, then by id', async () => {
  const own = world();
  await own.add('root', { status: 'in-progress', assigned: 'ann' });
  const rows = [
    { id: 'late', created_at: '2026-03-02T00:00:00.000Z', after: ['root'] },
    { id: 'c', created_at: undefined, after: ['root'] },
    { id: 'b', created_at: '2026-03-01T00:00:00.000Z', after: ['root'] },
    { id: 'a', created_at: '2026-03-01T00:00:00.000Z', after: ['root'] },
    { id: '0-last', created_at: '2026-02-01T00:00:00.000Z', after: ['late'] },
  ];
  await own.store.commit(() => ({
    events: rows.map(({ created_at, ...row }) => ({
      op: 'add_task',
      task_id: row.id,
      patch: [
        {
          id: row.id,
          put: {
            kind: 'task',
            title: row.id,
            status: 'open',
            ...row,
            ...(created_at === undefined ? {} : { created_at }),
          },
        },
      ],
    })),
    result: undefined,
  }));
  const { not_ready } = await statusNow.run(own.context, {});
  expect(not_ready.rows.map(({ id }) => id)).toEqual(['c', 'a', 'b', 'late', '0-last']);
  expect(not_ready.total).toBe(5);
});

verifies('ui.status.why', 'a command that nobody agreed to is named as soon as its task is ready', async () => {
  const own = world();
  own.context.trustedCommands = async () => agreedTo();
  await own.addAll([
    { id: 'held', exec: 'make', after: ['ready'] },
    { id: 'ready', exec: 'make' },
    { id: 'running', exec: 'make', status: 'in-progress', assigned: 'ann' },
    { id: 'failed', exec: 'make', status: 'failed', failure_reason: 'exit code 2' },
  ]);
  const { needs_you, not_ready, running, ready, counts } = await statusNow.run(own.context, {});
  const untrusted = 'its command comes from elsewhere: review it with `troupe trust --show`';
  expect(needs_you.rows.map(({ id, reason }) => [id, reason])).toEqual([
    ['ready', untrusted],
    ['failed', 'exit code 2'],
  ]);
  expect(not_ready.rows.map(({ id, reason }) => [id, reason])).toEqual([['held', 'waits for ready']]);
  expect(running.rows.map(({ id, reason }) => [id, reason])).toEqual([['running', 'claimed by ann']]);
  expect([ready.total, counts.ready, counts.open]).toEqual([0, 1, 1]);
});

verifies(
  'ui.status.why',
  'a picture keeps what is held up, then what is open, then the latest that ended',
  async () => {
    const own = world();
    const at = (day: number) => `2026-02-0${day}T00:00:00.000Z`;
    await own.addAll([
      { id: 'old', status: 'done', completed_at: at(1) },
      { id: 'new', status: 'done', completed_at: at(2) },
      { id: 'z', created_at: at(1) },
      { id: 'y', created_at: at(2) },
      { id: 'x', created_at: at(2) },
      { id: 'bad', status: 'failed', created_at: at(9) },
      { id: 'held', status: 'blocked', created_at: at(8) },
    ]);
    const shown = async (input: object) => {
      const { tasks, total, left_out } = await graphPicture.run(own.context, input);
      return [tasks.map(({ id }) => id).join(' '), total, left_out];
    };
    expect(await shown({})).toEqual(['held bad z x y new old', 7, 0]);
    expect(await shown({ limit: 6 })).toEqual(['held bad z x y new', 7, 1]);
    expect(await shown({ limit: 5 })).toEqual(['held bad z x y', 7, 2]);
    expect(await shown({ limit: 3 })).toEqual(['held bad z', 7, 4]);
    expect(await shown({ limit: 1 })).toEqual(['held bad', 7, 5]);
    expect(await shown({ state: ['done'] })).toEqual(['new old', 2, 0]);
    expect(await shown({ search: 'old' })).toEqual(['old', 1, 0]);
  },
);
