import { expect, test } from 'vitest';
import { NO_AGENCY } from '#core/coordinator/agency.js';
import { GRAPH_SECTIONS, TASK_SECTIONS } from '#core/insight/sections.js';
import type { TroupeError } from '#kernel/errors.js';
import type { CoordinatorFacts } from '#operations/coordinator-facts.js';
import { why } from '#operations/insight/blocking.js';
import { resourceAdd } from '#operations/insight/figures.js';
import { problems } from '#operations/insight/problems.js';
import { analysisReport } from '#operations/insight/report.js';
import type { Context } from '#operations/operation.js';
import { findEntry } from '#surfaces/cli/entries.js';
import { parseFlags } from '#surfaces/cli/parse-flags.js';
import { ANALYSIS_ROWS } from '../analysis-rows.js';
import { type World, world } from '../e2e/world.js';
import { NO_ACTS } from '../no-acts.js';
import { verifies } from '../verifies.js';

const keys = (value: unknown) => Object.keys(value as object);

async function whyBlocked(context: Context, { id }: { readonly id: string }) {
  const { why_blocked: held } = await analysisReport.run(context, { id, only: ['why-blocked'] });
  return held ?? expect.unreachable();
}

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
  'task.context': { id: 'parse', dependents: true },
  'analysis.report': { hours: 4 },
  'resource.add': { id: 'gpu' },
};

/** Fields of each section of an analysis. */
const SECTIONS = {
  why_blocked: ['task', 'ready', 'reasons', 'is_blocked', 'blocking_chain', 'root_blockers', 'total_blockers'],
  critical_path: ['critical_path', 'task_count', 'total_hours', 'slack_analysis', 'cycles_skipped'],
  bottlenecks: ['bottlenecks', 'total_tasks'],
  impact: ['task', 'direct_dependents', 'transitive_dependents', 'dependency_chains', 'impact_summary'],
  cost: ['task_id', 'total_cost', 'total_hours', 'missing_estimates'],
  forecast: [
    ...['remaining_work', 'scenarios', 'blockers', 'critical_path', 'velocity_hours_per_week'],
    ...['has_velocity_data', 'has_estimates'],
  ],
  velocity: [
    ...['weeks', 'average_tasks_per_week', 'average_hours_per_week', 'trend'],
    ...['open_tasks', 'open_hours', 'weeks_to_clear', 'tasks_without_timestamp'],
  ],
  structure: ['entry_points', 'dead_ends', 'high_impact_roots'],
  cycles: ['cycle_count', 'cycles', 'back_edges'],
};

const SHAPES: Readonly<Record<string, readonly string[]>> = {
  'graph.check': ['ok', 'errors', 'warnings', 'node_count', 'problems', 'structural_cycles'],
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
    for (const spec of ANALYSIS_ROWS.filter(({ kind }) => kind === 'read')) {
      const { seq } = await own.store.view();
      const answer = await own.call(spec.name, INPUT[spec.name] ?? {});
      const again = await own.call(spec.name, INPUT[spec.name] ?? {});
      expect(JSON.stringify(again), spec.name).toBe(JSON.stringify(answer));
      expect((await own.store.view()).seq, spec.name).toBe(seq);
      const shape = SHAPES[spec.name];
      if (shape) expect(keys(answer).sort(), spec.name).toEqual([...shape].sort());
    }
    const answer = {
      ...(await analysisReport.run(own.context, {})),
      ...(await analysisReport.run(own.context, { id: 'parse' })),
    };
    for (const [name, fields] of Object.entries(SECTIONS))
      expect(keys(answer[name as keyof typeof SECTIONS]).sort(), name).toEqual([...fields].sort());
    const { critical_path, slack_analysis } = answer.critical_path as unknown as Record<string, object[]>;
    expect(keys(critical_path?.[0]).sort()).toEqual(['after', 'hours', 'id', 'status', 'title']);
    expect(keys(slack_analysis?.[0]).sort()).toEqual(['id', 'note', 'slack_hours', 'title']);
  },
);

verifies('graph.show.why-blocked', 'the reasons of the graph, as they are; the roots say who holds them', async () => {
  const own = await filled();
  expect(await whyBlocked(own.context, { id: 'ship' })).toEqual({
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
  const dead = await whyBlocked(own.context, { id: 'ship' });
  expect(dead.reasons).toEqual([{ code: 'needs-success', ids: ['test'] }]);
});

verifies(
  'graph.show.why-blocked',
  "what is ready has the coordinator's reasons; what runs or ended has none",
  async () => {
    const own = await filled();
    await own.add('command', { exec: 'make' });
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
      ...NO_ACTS,
      spending: NO_ACTS.inForce,
      agents: async () => ['agent-1', 'agent-2'].map((id) => ({ ...row, id, task_id: id })),
    };
    const served = (more: Partial<CoordinatorFacts>): Context => ({
      ...own.context,
      coordinator: () => ({ ...facts, ...more }),
    });
    const reasons = async (context: Context, id: string) => (await whyBlocked(context, { id })).reasons;
    expect(await reasons(own.context, 'command')).toEqual([{ code: 'service-down' }]);
    expect(await reasons(served({ paused: true }), 'command')).toEqual([{ code: 'service-paused' }]);
    expect(await reasons(served({}), 'command')).toEqual([{ code: 'slots' }]);
    expect(await reasons(served({}), 'write')).toEqual([{ code: 'executor' }]);
    for (const id of ['parse', 'fetch']) {
      expect(await whyBlocked(own.context, { id }), id).toMatchObject({ reasons: [], is_blocked: false });
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
      },
      ...NO_ACTS,
      spending: NO_ACTS.inForce,
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
  expect((await whyBlocked(context, { id: 'next' })).reasons).toEqual([{ code: 'capacity' }]);
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
  expect((await analysisReport.run(own.context, { id: 'ship', only: ['blocked'] })).blocked).toEqual({
    task: { id: 'ship', title: 'ship', status: 'open', hours: null },
    blockers: [{ id: 'test', title: 'test', status: 'open', hours: null, assigned: null }],
  });
  expect((await analysisReport.run(own.context, { id: 'parse', only: ['blocked'] })).blocked).toMatchObject({
    blockers: [],
  });
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
  const { resources: use } = await analysisReport.run(own.context, { only: ['resources'] });
  expect(use?.resources[0]).toMatchObject({ id: 'budget', required: 5, remaining: -1, over: true, tasks: ['test'] });
});

test('what makes no sense is refused', async () => {
  const own = await filled();
  const code = (promise: Promise<unknown>) =>
    promise.then(
      () => 'none',
      (error: { code?: string }) => error.code,
    );
  expect(await code(own.call('analysis.report', { since: 'yesterday' }))).toBe('bad_input');
  for (const name of ['task.why', 'task.context', 'analysis.report'])
    expect(await code(own.call(name, { id: 'nobody' })), name).toBe('unknown_task');
  const { recent } = await analysisReport.run(own.context, { since: '2d' });
  expect(recent?.tasks.map((task) => task.id)).toEqual(['fetch']);
});

verifies(
  'analysis.sections',
  'an analysis holds the sections that were asked for, of the graph or of a task',
  async () => {
    const own = await filled();
    const sections = async (input: Parameters<typeof analysisReport.run>[1]) =>
      keys(await analysisReport.run(own.context, input));
    const standard = GRAPH_SECTIONS.filter((name) => name !== 'plan').map((name) => name.replace('-', '_'));
    expect(await sections({})).toEqual(standard);
    expect(await sections({ budget: 3 })).toEqual([...standard, 'plan']);
    expect(await sections({ only: ['cycles', 'stats'] }), 'in the order of the report').toEqual(['stats', 'cycles']);
    expect(await sections({ id: 'ship' })).toEqual(['why_blocked', 'impact', 'cost']);
    expect(await sections({ id: 'ship', only: [...TASK_SECTIONS] })).toHaveLength(TASK_SECTIONS.length);
    expect(await sections({ id: 'ship', only: ['cost'] })).toEqual(['cost']);
  },
);

verifies('analysis.sections', 'a section that does not fit is refused, and the command of the hint works', async () => {
  const own = await filled();
  const refused = async (input: Parameters<typeof analysisReport.run>[1]) => {
    const error = await analysisReport.run(own.context, input).then(
      () => expect.unreachable(),
      (thrown: TroupeError) => thrown,
    );
    expect(error.code).toBe('bad_input');
    const [, command = '', more] = /`troupe (analyze[^`]*)`(?:, with `([^`]*)`)?/.exec(error.hint ?? '') ?? [];
    const words = more === undefined ? command : `${command} ship ${more}`;
    const { entry, rest } = (await findEntry(words.split(' '))) ?? expect.unreachable();
    await own.call('analysis.report', (await parseFlags(entry, rest, '/')) as object);
    return words;
  };
  expect(await refused({ only: ['impact'] })).toBe('analyze ship --only impact');
  expect(await refused({ id: 'ship', only: ['cost', 'forecast'] })).toBe('analyze --only forecast');
  expect(await refused({ only: ['stats'], weeks: 8 })).toBe('analyze --only velocity');
  expect(await refused({ id: 'ship', hours: 2 })).toBe('analyze --only plan');
});
