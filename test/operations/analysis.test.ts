import { expect, test } from 'vitest';
import { NO_AGENCY } from '#core/coordinator/agency.js';
import type { CoordinatorFacts } from '#operations/coordinator-facts.js';
import { why, whyBlocked } from '#operations/insight/blocking.js';
import { resourceAdd } from '#operations/insight/figures.js';
import { problems } from '#operations/insight/problems.js';
import { ANALYSIS_SPECS } from '#operations/insight/specs.js';
import type { Context } from '#operations/operation.js';
import { type World, world } from '../e2e/world.js';
import { verifies } from '../verifies.js';

const keys = (value: unknown) => Object.keys(value as object);

/** A little of everything. */
async function filled(): Promise<World> {
  const own = world();
  await own.add('fetch', { status: 'done', completed_at: '2026-02-28T10:00:00Z', estimate: { hours: 4, cost: 2 } });
  await own.add('parse', { after: ['fetch'], estimate: { hours: 3 }, status: 'in-progress', assigned: 'ann' });
  await own.add('test', { after: ['parse'], requires: ['budget'], estimate: { cost: 5 } });
  await own.add('ship', { after: ['test'], after_success: ['test'] });
  await own.add('write', { after: ['revise'], cycle_config: { max_iterations: 2 } });
  await own.add('revise', { after: ['write'] });
  await own.call('resource.add', { id: 'budget', available: 4, unit: 'usd' });
  return own;
}

const INPUT: Readonly<Record<string, object>> = {
  'task.why': { id: 'ship' },
  'task.why-blocked': { id: 'ship' },
  'task.blocked': { id: 'ship' },
  'task.context': { id: 'parse', dependents: true },
  'analysis.impact': { id: 'parse' },
  'analysis.cost': { id: 'ship' },
  'analysis.plan': { hours: 4 },
  'resource.add': { id: 'gpu' },
};

const SHAPES: Readonly<Record<string, readonly string[]>> = {
  'task.why-blocked': ['task', 'ready', 'reasons', 'is_blocked', 'blocking_chain', 'root_blockers', 'total_blockers'],
  'graph.check': ['ok', 'errors', 'warnings', 'node_count', 'problems', 'structural_cycles'],
  'analysis.critical-path': ['critical_path', 'task_count', 'total_hours', 'slack_analysis', 'cycles_skipped'],
  'analysis.bottlenecks': ['bottlenecks', 'total_tasks'],
  'analysis.impact': ['task', 'direct_dependents', 'transitive_dependents', 'dependency_chains', 'impact_summary'],
  'analysis.cost': ['task_id', 'total_cost', 'total_hours', 'missing_estimates'],
  'analysis.forecast': [
    'remaining_work',
    'scenarios',
    'blockers',
    'critical_path',
    'velocity_hours_per_week',
    'has_velocity_data',
    'has_estimates',
  ],
  'analysis.velocity': [
    'weeks',
    'average_tasks_per_week',
    'average_hours_per_week',
    'trend',
    'open_tasks',
    'open_hours',
    'weeks_to_clear',
    'tasks_without_timestamp',
  ],
  'analysis.structure': ['entry_points', 'dead_ends', 'high_impact_roots'],
  'analysis.cycles': ['cycle_count', 'cycles', 'back_edges'],
};

verifies(
  [
    'graph.show.critical-path',
    'graph.show.bottlenecks',
    'graph.show.impact',
    'graph.show.cost',
    'graph.show.forecast',
    'graph.show.velocity',
    'graph.show.why-blocked',
    'graph.show.check',
    'graph.show.structure',
    'graph.show.cycles',
    'graph.show.more',
  ],
  'every analysis answers in its own form, the same twice, and changes nothing',
  async () => {
    const own = await filled();
    for (const spec of ANALYSIS_SPECS.filter((candidate) => candidate.kind === 'read')) {
      const { seq } = await own.store.view();
      const answer = await own.call(spec.name, INPUT[spec.name] ?? {});
      const again = await own.call(spec.name, INPUT[spec.name] ?? {});
      expect(JSON.stringify(again), spec.name).toBe(JSON.stringify(answer));
      expect((await own.store.view()).seq, spec.name).toBe(seq);
      const shape = SHAPES[spec.name];
      if (shape) expect(keys(answer).sort(), spec.name).toEqual([...shape].sort());
    }
    const { critical_path, slack_analysis } = (await own.call('analysis.critical-path', {})) as Record<
      string,
      object[]
    >;
    expect(keys(critical_path?.[0]).sort()).toEqual(['after', 'hours', 'id', 'status', 'title']);
    expect(keys(slack_analysis?.[0]).sort()).toEqual(['id', 'note', 'slack_hours', 'title']);
  },
);

verifies('graph.show.why-blocked', 'the reasons of the graph, as they are; the roots say who holds them', async () => {
  const own = await filled();
  expect(await whyBlocked.run(own.context, { id: 'ship' })).toEqual({
    task: { id: 'ship', title: 'ship', status: 'open', hours: null },
    ready: false,
    reasons: [{ code: 'predecessor', ids: ['test'] }],
    is_blocked: true,
    blocking_chain: {
      id: 'ship',
      status: 'open',
      after: [{ id: 'test', status: 'open', after: [{ id: 'parse', status: 'in-progress', after: [] }] }],
    },
    root_blockers: [{ id: 'parse', title: 'parse', status: 'in-progress', assigned: 'ann', is_ready: false }],
    total_blockers: 2,
  });
  await own.set('parse', { status: 'done' });
  await own.set('test', { status: 'failed' });
  const dead = await whyBlocked.run(own.context, { id: 'ship' });
  expect(dead.reasons).toEqual([{ code: 'needs-success', ids: ['test'] }]);
});

verifies(
  'graph.show.why-blocked',
  "what is ready has the coordinator's reasons; what runs or ended has none",
  async () => {
    const own = await filled();
    await own.add('command', { exec: 'make' });
    const never = () => {
      throw new Error('nobody asks for runs here');
    };
    const row = { executor: 'shell', status: 'working', started_at: '2026-03-01T09:58:00Z' } as const;
    const facts: CoordinatorFacts = {
      ...{
        paused: false,
        maxAgents: 2,
        holds: [],
        standIns: [],
        lostStandIns: [],
        sessionClients: new Set<string>(),
      },
      ...{ kill: never, spawn: never, inForce: never, roundEnd: never, spending: never },
      agents: async () => ['agent-1', 'agent-2'].map((id) => ({ ...row, id, task_id: id })),
    };
    const served = (more: Partial<CoordinatorFacts>): Context => ({
      ...own.context,
      coordinator: () => ({ ...facts, ...more }),
    });
    const reasons = async (context: Context, id: string) => (await whyBlocked.run(context, { id })).reasons;
    expect(await reasons(own.context, 'command')).toEqual([{ code: 'service-down' }]);
    expect(await reasons(served({ paused: true }), 'command')).toEqual([{ code: 'service-paused' }]);
    expect(await reasons(served({}), 'command')).toEqual([{ code: 'slots' }]);
    expect(await reasons(served({}), 'write')).toEqual([{ code: 'executor' }]);
    for (const id of ['parse', 'fetch']) {
      expect(await whyBlocked.run(own.context, { id }), id).toMatchObject({ reasons: [], is_blocked: false });
    }
    for (const status of ['waiting', 'pending-validation', 'blocked'] as const) {
      await own.set('command', { status });
      expect(await reasons(served({}), 'command'), status).toEqual([
        { code: status === 'pending-validation' ? 'gate' : 'status' },
      ]);
    }
    expect((await why.run(served({ agents: async () => [] }), { id: 'write' }))[0]?.code).toBe('executor');
  },
);

verifies('why.closed', 'a ready task for an agent that has enough to do says so, in short and whole', async () => {
  const own = await filled();
  const never = () => {
    throw new Error('nobody asks for that here');
  };
  const row = { executor: 'claude', status: 'working', started_at: '2026-03-01T09:58:00Z' } as const;
  const agents = new Map([
    ['0123456789abcdef', { human: false, capacity: 1, executor: 'claude', provider: undefined }],
  ]);
  const context: Context = {
    ...own.context,
    coordinator: () => ({
      ...{
        paused: false,
        maxAgents: 4,
        holds: [],
        standIns: [],
        lostStandIns: [],
        sessionClients: new Set<string>(),
        executor: 'claude',
        kill: never,
        spawn: never,
        inForce: never,
        roundEnd: never,
        spending: never,
      },
      agents: async () => [{ ...row, id: 'agent-1', task_id: 'held' }],
      agency: { ...NO_AGENCY, agents },
    }),
  };
  await own.add('held', { status: 'in-progress', assigned: 'agent-1', agent: '0123456789abcdef' });
  await own.add('next', { agent: '0123456789abcdef' });
  await own.add('other');
  expect(await why.run(context, { id: 'next' })).toMatchObject([
    { code: 'capacity', text: 'It is ready, but its agent 0123456789ab already has 1 tasks, its maximum.' },
  ]);
  expect((await whyBlocked.run(context, { id: 'next' })).reasons).toEqual([{ code: 'capacity' }]);
  expect((await why.run(context, { id: 'other' }))[0]?.code).toBe('slots');
  await own.set('held', { status: 'done' });
  expect((await why.run(context, { id: 'next' }))[0]?.code).toBe('slots');
});

test('work that nobody is at is a problem, work that somebody is at is none', async () => {
  const own = world();
  own.atWork.add('agent-1');
  await own.add('goes-on', { status: 'in-progress', assigned: 'agent-1' });
  await own.add('lost', { status: 'in-progress', assigned: 'agent-2' });
  const found = await problems.run(own.context, {});
  expect(found.problems.filter(({ task }) => task !== null)).toMatchObject([
    { task: 'lost', text: 'agent-2 is not running' },
  ]);
});

test('the direct blockers of a task', async () => {
  const own = await filled();
  expect(await own.call('task.blocked', { id: 'ship' })).toEqual({
    task: { id: 'ship', title: 'ship', status: 'open', hours: null },
    blockers: [{ id: 'test', title: 'test', status: 'open', hours: null, assigned: null }],
  });
  expect(await own.call('task.blocked', { id: 'parse' })).toMatchObject({ blockers: [] });
});

verifies('graph.resource.use', 'resources are added, listed, and held against what tasks require', async () => {
  const own = await filled();
  const added = await resourceAdd.run(own.context, { id: 'gpu', name: 'The card', available: 1 });
  expect(added).toEqual({
    resource: 'gpu',
    changed: true,
    seq: added.seq,
    events: [{ seq: added.seq, op: 'resource_add' }],
  });
  const { resources } = (await own.call('resource.list', {})) as { resources: object[] };
  expect(resources).toMatchObject([
    { kind: 'resource', id: 'budget', available: 4, unit: 'usd' },
    { kind: 'resource', id: 'gpu', name: 'The card' },
  ]);
  const use = (await own.call('analysis.resources', {})) as { resources: object[] };
  expect(use.resources[0]).toMatchObject({ id: 'budget', required: 5, remaining: -1, over: true, tasks: ['test'] });
});

test('what makes no sense is refused', async () => {
  const own = await filled();
  const code = (promise: Promise<unknown>) =>
    promise.then(
      () => 'none',
      (error: { code?: string }) => error.code,
    );
  expect(await code(own.call('analysis.discover', { since: 'yesterday' }))).toBe('bad_input');
  for (const name of ['task.why', 'task.blocked', 'task.context', 'analysis.impact', 'analysis.cost'])
    expect(await code(own.call(name, { id: 'nobody' })), name).toBe('unknown_task');
  const { tasks } = (await own.call('analysis.discover', { since: '2d' })) as { tasks: { id: string }[] };
  expect(tasks.map((task) => task.id)).toEqual(['fetch']);
});
