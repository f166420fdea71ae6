import path from 'node:path';
import { expect, test } from 'vitest';
import { isTask, STATUSES, type Task } from '#core/graph/task.js';
import { aging } from '#core/insight/aging.js';
import { blockingOf, parkedBecause, unmetDependencies } from '#core/insight/blocking.js';
import { bottlenecks } from '#core/insight/bottlenecks.js';
import { checkGraph } from '#core/insight/check.js';
import { type Coordination, NO_COORDINATION } from '#core/insight/coordination.js';
import { costOf } from '#core/insight/cost.js';
import { criticalPath } from '#core/insight/critical-path.js';
import { discover } from '#core/insight/discover.js';
import { forecast } from '#core/insight/forecast.js';
import { impactOf } from '#core/insight/impact.js';
import { coordinate, nextUp } from '#core/insight/next.js';
import { packetOf } from '#core/insight/packet.js';
import { planWork } from '#core/insight/plan.js';
import { problemsOf } from '#core/insight/problems.js';
import { resourceUse } from '#core/insight/resources.js';
import { statsOf } from '#core/insight/stats.js';
import { cycleReport, structureOf } from '#core/insight/structure.js';
import { graphSummary } from '#core/insight/summary.js';
import { velocity } from '#core/insight/velocity.js';
import { reasonsOf, whyFacts } from '#core/insight/why.js';
import { workload } from '#core/insight/workload.js';
import type { TaskFields } from '../graph/graph.js';
import { graphOf, NOW } from '../graph/graph.js';

const GOLDEN = path.join(import.meta.dirname, 'golden');
const DAY = 86_400_000;
const ago = (days: number) => new Date(NOW - days * DAY).toISOString();
const word = (message: string, actor?: string, days = 1) => ({
  timestamp: ago(days),
  message,
  ...(actor === undefined ? {} : { actor }),
});
const waits = (...conditions: object[]) => ({ mode: 'all' as const, since: ago(2), conditions: conditions as never });

/** A task in every state that any analysis tells apart, and fields as hands and other tools write them. */
const ROWS: (TaskFields & { id: string })[] = [
  {
    ...{
      id: 'past',
      status: 'done',
      title: 'Past work',
      created_at: ago(100),
      started_at: ago(20),
      completed_at: ago(19),
    },
    ...{
      tags: ['core', 'text', 'core'],
      skills: ['prose'],
      artifacts: ['a.md', 'b.md'],
      estimate: { hours: 2, cost: 5 },
    },
    log: [
      word('Done', 'agent-1'),
      word('We decided on tabs because of width', 'Ann'),
      word('Approved: fine', 'tess', 3),
    ],
    ...({ token_usage: { cost_usd: 1.234, input_tokens: 10, output_tokens: 5 }, retry_count: 2 } as object),
  },
  { id: 'later', status: 'done', started_at: ago(3), completed_at: ago(1), artifacts: ['c.md'], tags: ['text'] },
  { id: 'odd-time', status: 'done', started_at: ago(1), completed_at: ago(2), log: [word('decided nothing')] },
  { id: 'no-time', status: 'done', tags: ['core'] },
  {
    ...{ id: 'flop', status: 'failed', failure_reason: 'no network. ', completed_at: ago(2), created_at: ago(8) },
    ...{ max_retries: 2, retry_count: 1, tags: ['core'], log: [word('Failed: no network', 'agent-2', 2)] },
  },
  { id: 'flop-2', status: 'failed', title: 'Flop again', log: [word('Rejected: no')] },
  { id: 'dropped', status: 'abandoned', superseded_by: ['ready-a', 'ready-b'], completed_at: ago(5) },
  { id: 'ready-a', after: ['past'], exec: 'true', estimate: { hours: 3 }, created_at: ago(10), tags: ['core'] },
  {
    id: 'ready-b',
    after: ['past', 'later'],
    created_at: ago(40),
    estimate: { hours: 1.5, cost: 2 },
    requires: ['gpu'],
  },
  { id: 'ready-c', after: ['past'], human: true, member: 'Ann', created_at: ago(1), estimate: { hours: 4 } },
  { id: 'hope', after: ['flop', 'dropped', 'ready-a'], after_success: ['flop', 'dropped'], estimate: { hours: 1 } },
  { id: 'hope-2', after: ['flop'], after_success: ['flop'] },
  { id: 'next', after: ['ready-a', 'held'], created_at: ago(0.5), estimate: { hours: 2 }, requires: ['gpu', 'money'] },
  { id: 'join', after: ['next', 'ready-b', 'ready-c', 'hope'], estimate: { hours: 5, cost: 1 } },
  { id: 'end', after: ['join', 'nobody', 'far:away'], description: 'The end.', inputs: ['c.md'] },
  {
    id: 'held',
    status: 'in-progress',
    assigned: 'Ann',
    started_at: ago(3),
    created_at: ago(4),
    estimate: { hours: 2 },
  },
  { id: 'runs', status: 'in-progress', assigned: 'agent-7', started_at: ago(0.1), member: 'Bob', requires: ['time'] },
  { id: 'lost', status: 'in-progress', assigned: 'agent-9', started_at: ago(1) },
  { id: 'unknown', status: 'in-progress', created_at: ago(2) },
  { id: 'review', status: 'pending-validation', verify: 'Read it', completed_at: ago(1), assigned: 'agent-3' },
  {
    id: 'review-2',
    status: 'pending-validation',
    failure_reason: 'Its run ended without reporting done, fail or wait.',
  },
  { id: 'blocked', status: 'blocked', log: [word('x')], paused: true },
  { id: 'asks', status: 'waiting', checkpoint: 'Which  one?\n', wait_condition: waits({ type: 'human-input' }) },
  { id: 'asks-2', status: 'waiting', wait_condition: waits({ type: 'human-input', seen: true }, { type: 'message' }) },
  {
    ...{ id: 'timed', status: 'waiting' },
    wait_condition: waits(
      { type: 'timer', resume_after: ago(-1) },
      { type: 'task-status', task_id: 'next', status: 'done' },
    ),
  },
  { id: 'parked', status: 'waiting', wait_condition: waits({ type: 'file-changed', path: 'x.txt', mtime_at_wait: 0 }) },
  { id: 'parked-2', status: 'waiting' },
  { id: 'draft', paused: true, created_at: ago(6), unplaced: true },
  { id: 'soon', ready_after: ago(-0.25), estimate: { hours: -1 } },
  { id: 'died', ready_after: ago(-0.5), ...({ deaths: [ago(0.1)] } as object) },
  { id: 'ring-a', after: ['ring-b'], cycle_config: { max_iterations: 3 }, loop_iteration: 1, estimate: { hours: 9 } },
  { id: 'ring-b', after: ['ring-a', 'ready-a'] },
  { id: 'dead-a', after: ['dead-b'] },
  { id: 'dead-b', after: ['dead-a'] },
  { id: 'self', after: ['self'] },
  { id: 'after-dead', after: ['dead-a', 'runs'] },
  {
    id: 'odd fields',
    assigned: 'Ann',
    ...({ before: ['join', 7], loops_to: [{ target: 'end' }, 7, {}], tags: 'x' } as object),
  },
  ...['s1', 's2', 's3'].map((id) => ({ id, after: ['join'], tags: ['leaf'] })),
  ...['p1', 'p2', 'p3', 'p4'].map((id, index) => ({ id, after: [index === 0 ? 's1' : `p${index}`] })),
  {
    ...{ id: 'gpu', kind: 'resource', name: 'GPU', type: 'time', unit: 'hours', available: 3 },
    ...({ title: undefined } as object),
  } as never,
  { ...{ id: 'idle', kind: 'resource', unit: 'EUR' } } as never,
];
const graph = () => graphOf(...ROWS);
const tasksOf = (view = graph()): Task[] => [...view.nodes()].filter(isTask).sort((a, b) => (a.id < b.id ? -1 : 1));

/** One line for each entry of what was found, so that a difference shows where it is. */
function lines(found: object): string[] {
  return Object.entries(found).flatMap(([key, value]): string[] =>
    Array.isArray(value)
      ? [`${key}: ${value.length}`, ...value.map((one) => `  ${JSON.stringify(one)}`)]
      : [`${key}: ${JSON.stringify(value)}`],
  );
}

const rate = (task: Task) => (task.id === 'ready-a' ? 10 : undefined);
const SERVED: Coordination = { ...NO_COORDINATION, running: true, alive: 1, most: 4, executor: 'claude' };
const ANALYSES: Readonly<Record<string, () => object>> = {
  stats: () => statsOf(graph()),
  aging: () => aging(graph(), NOW),
  discover: () => discover(graph(), NOW - 2 * DAY),
  'next up': () => nextUp(graph(), undefined, NOW, { executor: 'claude' }),
  'next for Ann': () => nextUp(graph(), 'Ann', NOW, {}),
  'next for nobody': () => nextUp(graph(), 'Nobody', NOW, {}),
  coordinate: () => coordinate(graph(), NOW),
  'plan without bounds': () => planWork(graph(), {}, NOW, rate),
  'plan of hours': () => planWork(graph(), { hours: 7.5 }, NOW, rate),
  'plan of money': () => planWork(graph(), { budget: 31, hours: 20 }, NOW, rate),
  bottlenecks: () => bottlenecks(graph()),
  'critical path': () => criticalPath(graph()),
  forecast: () => forecast(graph(), NOW, rate),
  'impact of past': () => impactOf(graph(), 'past'),
  'impact of ready-a': () => impactOf(graph(), 'ready-a'),
  'cost of end': () => costOf(graph(), 'end', rate),
  'packet of end': () => packetOf(graph(), 'join', { dependents: true }),
  'packet of hope': () => packetOf(graph(), 'hope', { dependents: false }),
  structure: () => structureOf(graph()),
  cycles: () => cycleReport(graph()),
  resources: () => resourceUse(graph()),
  workload: () => workload(graph(), NOW),
  velocity: () => velocity(graph(), 4, NOW),
  check: () => checkGraph(graph(), []),
};

test('every analysis of a graph that has everything', async () => {
  const told = Object.entries(ANALYSES).flatMap(([name, found]) => [`== ${name}`, ...lines(found())]);
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'analyses.txt'));
});

test('the page about a graph that has everything', async () => {
  await expect(graphSummary(graph(), NOW)).toMatchFileSnapshot(path.join(GOLDEN, 'summary.txt'));
});

test('why each task of a graph that has everything does not run, and what it waits for', async () => {
  const view = graph();
  const told = tasksOf(view).flatMap((task) => {
    const facts = [...whyFacts(view, task, NOW, NO_COORDINATION), ...whyFacts(view, task, NOW, SERVED)];
    const { blocking_chain: chain, root_blockers: roots, total_blockers: total } = blockingOf(view, task, NOW);
    return [
      `== ${task.id}`,
      ...new Set(facts.map((fact) => JSON.stringify(fact))),
      `reasons ${JSON.stringify(reasonsOf(view, task, NOW, SERVED))}`,
      `unmet ${unmetDependencies(view, task, NOW).map(({ id }) => id)}`,
      `behind ${total}: ${roots.map(({ id }) => id)} ${JSON.stringify(chain)}`,
      ...(task.status === 'waiting' ? [`parked ${JSON.stringify(parkedBecause(task, NOW))}`] : []),
    ];
  });
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'why.txt'));
});

const HOLD = { client: 'claude', text: 'claude: no key', remedy: 'mend it', since: NOW - DAY, until: NOW + DAY };
/** What a person hears of the same graph, by how it stands with the service. */
const STANDINGS: Readonly<Record<string, Partial<Coordination>>> = {
  'no service': NO_COORDINATION,
  'no service, and no client': {
    ...NO_COORDINATION,
    executor: undefined,
    missing: { text: 'claude is not installed', command: 'troupe executor list' },
  },
  paused: { paused: true },
  'too many silent clients': { backOffUntil: NOW + 1 },
  'silent until now': { backOffUntil: NOW },
  'a client that is held': { holdOf: (task) => (task.id === 'dropped' ? undefined : HOLD) },
  'no trust': { waitsForTrust: (task) => task.exec !== undefined },
  'nobody to judge': { unjudged: 'No key.' },
  'no money': {
    refusal: ({ id }) =>
      id === 'ready-b'
        ? { text: 'spent', cap: 'usd_per_day', wanted: 3 }
        : { text: 'spent', cap: 'usd_per_day', wanted: 4 },
  },
  served: {},
};

test('what waits for a person, by how it stands with the service', async () => {
  const told = Object.entries(STANDINGS).flatMap(([name, coordination]) => {
    const facts = {
      coordination: { ...SERVED, ...coordination },
      live: new Set(['runs']),
      stalled: new Map([['lost', 'agent-9 is not at work']]),
      unmerged: [{ task: 'past', attempt: 2, why: '3 commits' }],
      awaited: [],
      toLand: name === 'served' ? 1 : 0,
      ...(name === 'served' ? { teams: { text: 'No database', command: 'troupe teams' } } : {}),
      triggers: [
        { id: 'on time', due: true, held: null, held_by: null, last_run: null },
        { id: 'early', due: false, held: null, held_by: null, last_run: null },
        { id: 'untrusted', due: true, held: 'not trusted', held_by: 'trust' as const, last_run: 'r 1' },
        { id: 'busy', due: true, held: 'still runs', held_by: 'run' as const, last_run: 'r 1' },
        { id: 'first', due: true, held: 'still runs', held_by: 'run' as const, last_run: null },
        { id: 'other', due: false, held: 'is broken', held_by: 'other' as const, last_run: 'r 1' },
      ],
    };
    return [`== ${name}`, ...problemsOf(graph(), facts, NOW).map((row) => Object.values(row).join(' | '))];
  });
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'problems.txt'));
});

test('every analysis of nothing, and of one task in each state', async () => {
  const told = [undefined, ...STATUSES].flatMap((status) => {
    const view = status === undefined ? graphOf() : graphOf({ id: 'a', status });
    return [
      `== ${status ?? 'nothing'}`,
      ...[statsOf(view), aging(view, NOW), nextUp(view, undefined, NOW, {}), coordinate(view, NOW)].flatMap(lines),
      ...[planWork(view, {}, NOW), criticalPath(view), forecast(view, NOW), velocity(view, 2, NOW)].flatMap(lines),
      ...[bottlenecks(view), structureOf(view), workload(view, NOW), checkGraph(view, [])].flatMap(lines),
    ];
  });
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'little.txt'));
});
