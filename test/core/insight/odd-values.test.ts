import path from 'node:path';
import { expect, test } from 'vitest';
import { checkGraph, checkMerge, fromLog, fromReading } from '#core/insight/check.js';
import { discover } from '#core/insight/discover.js';
import { nextUp } from '#core/insight/next.js';
import { packetOf } from '#core/insight/packet.js';
import { resourceUse } from '#core/insight/resources.js';
import type { Scenario } from '#core/insight/scenario.js';
import { simulate } from '#core/insight/simulate.js';
import { velocity } from '#core/insight/velocity.js';
import { anyTasks } from '../graph/any-tasks.js';
import { graphOf, NOW } from '../graph/graph.js';

const GOLDEN = path.join(import.meta.dirname, 'golden');
const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;
const at = (ms: number): string => new Date(NOW + ms).toISOString();

/** What a hand may write where the type says something else. */
const byHand = (value: unknown): never => value as never;

const SCENARIOS: readonly Scenario[] = [
  { seed: 1, agents: 1, script: [{ match: '*', takes: '5m..20m', fails: 0.3 }] },
  {
    seed: 2,
    agents: 3,
    usd_total: 3,
    script: [
      { match: '*a', cost: 2 },
      { match: '*', cost: 0.5 },
    ],
  },
  {
    seed: 3,
    crash: 0.3,
    script: [
      { match: 'tag:ui', dies: 0.5 },
      { match: '*b', result: 'failed' },
    ],
  },
  {
    seed: 4,
    agents: 2,
    usd_total: 20,
    script: [{ match: '*0*', cost: 1.25, creates: [{ title: 'More of it' }, { title: 'And again', exec: 'make' }] }],
  },
];

test('simulations of graphs of any shape end as they were found good', async () => {
  const lines = SCENARIOS.flatMap((scenario, number) => {
    const nodes = graphOf(...anyTasks(40 + number, 6), { kind: 'resource', id: 'gpu' } as never).nodes();
    const { entries, ...result } = simulate([...nodes], scenario, { now: NOW, untilMs: 48 * HOUR });
    const told = entries.map(
      ({ timestamp, op, task_id, actor }) => `  ${timestamp.slice(5, 19)} ${op} ${task_id ?? ''} ${actor ?? ''}`,
    );
    return [`== ${JSON.stringify(scenario)}`, JSON.stringify(result), ...told];
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'simulations.txt'));
});

test('a simulation waits for what becomes ready by itself, and tells what remains', () => {
  const graph = graphOf(
    { id: 'now', estimate: { hours: 0 } },
    { id: 'soon', not_before: at(2 * HOUR) },
    { id: 'late', not_before: at(5 * HOUR), after: ['soon'] },
    { id: 'human', human: true },
    { id: 'held', status: 'in-progress', assigned: 'ann', started_at: at(-HOUR) },
  );
  const { entries, ...result } = simulate([...graph.nodes()], { agents: 2 }, { now: NOW });
  expect(result).toEqual({
    tookMs: 5 * HOUR + 600_000,
    ended: 'stuck',
    runs: 4,
    deaths: 0,
    crashes: 0,
    cost: 0,
    atOnce: { most: 2, average: 0.1 },
    statuses: { done: 4, open: 1 },
    left: ['human'],
  });
  expect(entries.filter(({ op }) => op === 'claim').map(({ task_id, timestamp }) => [task_id, timestamp])).toEqual([
    ['held', at(0)],
    ['now', at(0)],
    ['soon', at(2 * HOUR)],
    ['late', at(5 * HOUR)],
  ]);
});

test('what reading and the log found is told with its place', () => {
  expect(
    fromReading([
      { severity: 'error', code: 'bad_line', text: 'no JSON', file: 'graph.jsonl', line: 3 },
      { severity: 'warning', code: 'odd', text: 'odd', file: 'config.toml' },
      { severity: 'warning', code: 'odd', text: 'odd' },
    ]),
  ).toEqual([
    { code: 'bad_line', severity: 'error', task_id: null, ids: [], hint: 'graph.jsonl:3: no JSON' },
    { code: 'odd', severity: 'warning', task_id: null, ids: [], hint: 'config.toml: odd' },
    { code: 'odd', severity: 'warning', task_id: null, ids: [], hint: 'odd' },
  ]);
  const differences = [
    { id: 'a', kind: 'fields', fields: ['status', 'title'] },
    { id: 'b', kind: 'only-first', fields: [] },
    { id: 'c', kind: 'only-second', fields: [] },
  ] as const;
  const drift = (id: string, text: string) => ({
    code: 'log_drift',
    severity: 'error',
    task_id: id,
    ids: [],
    hint: `${text}. \`troupe rebuild\` shows the graph as the log makes it.`,
  });
  const drifts = [
    drift('a', 'other fields than the log says: status, title'),
    drift('b', 'the log knows nothing of it'),
    drift('c', 'only the log knows it'),
  ];
  expect(fromLog({ from: 1, differences })).toEqual(drifts);
  expect(fromLog({ from: 2, differences })).toEqual([
    {
      code: 'log_incomplete',
      severity: 'warning',
      task_id: null,
      ids: [],
      hint: 'The log begins at 2: what came before is compared with nothing.',
    },
    ...drifts,
  ]);
});

test('of what a merge dropped, only what can be read is told, once a task', () => {
  const lost = [
    { id: 'a', field: 'title' },
    { id: 'a', field: 'status' },
    { id: 'a', field: 'status' },
    { id: 'a', field: 3 },
    { id: 7, field: 'title' },
    { id: 'new', field: 'title' },
    { id: 'later', field: 'title' },
    { id: 'gone', field: 'title' },
    'nonsense',
    null,
  ];
  const graph = graphOf({ id: 'a', rev: 5 }, { id: 'new' }, { id: 'later', rev: 6 }, { id: '7', rev: 1 });
  const entry = (detail: object) =>
    checkMerge(graph, { seq: 5, id: 'm', timestamp: '', op: 'merge', patch: [], ...detail });
  expect(entry({ detail: { lost } }).map(({ hint: _, ...rest }) => rest)).toEqual([
    { code: 'merge', severity: 'warning', task_id: 'a', ids: ['status', 'title'] },
    { code: 'merge', severity: 'warning', task_id: 'new', ids: ['title'] },
  ]);
  expect([entry({ detail: { lost: 'all' } }), entry({ detail: {} }), entry({})]).toEqual([[], [], []]);
});

test('warnings name what is meant, as often as somebody would read it', () => {
  const { problems } = checkGraph(
    graphOf(
      { id: 'one', loops_to: [{ target: 'two', max_iterations: 2.9 }, { target: 'ok' }, { target: 5 }, null, 'x'] },
      { id: 'two', loops_to: [{ target: 'gone', max_iterations: 0 }], cycle_config: { max_iterations: 2 } },
      { id: 'ok', after: ['one'], cycle_config: { max_iterations: 2 } },
      { id: 'odd', loops_to: 'two', before: ['two', 3, 'ok'] },
    ),
    [],
  );
  expect(problems.map(({ code, task_id, ids, hint }) => [code, task_id, ids, /`troupe.*`/.exec(hint)?.[0]])).toEqual([
    ['before_drift', 'odd', ['two', 'ok'], '`troupe edit two --add-after odd`'],
    ['loops_to', 'one', ['two'], '`troupe edit two --add-after one --max-iterations 2`'],
    ['loops_to', 'two', ['gone'], '`troupe edit gone --add-after two --max-iterations 3`'],
    ['bad_field', 'odd', ['before.1'], expect.stringMatching(/^`troupe schema task`/)],
  ]);
  const others = [
    { kind: 'resource', id: 'gpu', after: ['ghost'], before: ['one'], status: 'open', assigned: 'ann' },
  ] as never[];
  expect(checkGraph(graphOf(...others), [])).toMatchObject({ ok: true, node_count: 1, problems: [] });
  const many = Array.from({ length: 22 }, (_, number) => ({
    id: `task-${10 + number}`,
    after: [`tusk-${10 + number}`],
  }));
  const near = checkGraph(graphOf(...many), []).problems.filter(({ hint }) => hint.includes('if you meant'));
  expect(near).toHaveLength(20);
});

test('a packet leaves out of the log what is no entry, and of the neighbours the task itself', () => {
  const entry = (fields: object) => ({ timestamp: at(0), message: 'm', ...fields });
  const log = [
    entry({}),
    entry({ actor: 'ann' }),
    entry({ actor: 3 }),
    entry({ message: 4 }),
    { message: 'm' },
    null,
    'x',
  ];
  const graph = graphOf(
    { id: 'a', log: byHand(log), description: byHand(5), after: ['b', 'a', 'b', 'c'], inputs: byHand('all') },
    { id: 'b', status: 'abandoned', failure_reason: byHand(4) },
    { id: 'c' },
    { id: 'z', after: ['a'], inputs: byHand([1, 'x']) },
    { id: 'd', after: ['a', 'd'] },
  );
  expect(packetOf(graph, 'a', { dependents: true })).toEqual({
    id: 'a',
    title: 'a',
    status: 'open',
    description: '',
    inputs: [],
    skills: [],
    deliverables: [],
    log: [entry({}), entry({ actor: 'ann' })],
    checkpoint: null,
    predecessors: [{ id: 'b', title: 'b', status: 'abandoned', artifacts: [], log: [], failure_reason: null }],
    dependents: [
      { id: 'd', title: 'd', status: 'open', inputs: [] },
      { id: 'z', title: 'z', status: 'open', inputs: ['x'] },
    ],
  });
});

test('what ended lately, with its last word, comes the latest first', () => {
  const entry = (message: string) => ({ timestamp: at(0), message });
  const graph = graphOf(
    { id: 'b', status: 'done', completed_at: at(-5), log: [entry('first'), entry('last')] },
    { id: 'a', status: 'failed', completed_at: at(-5), failure_reason: 'broke', log: [entry('said')] },
    { id: 'mute', status: 'failed', completed_at: at(-9), failure_reason: '', artifacts: ['x'] },
    { id: 'blank', status: 'abandoned', completed_at: at(-10), log: [entry('')] },
    { id: 'before', status: 'done', completed_at: at(-11) },
    { id: 'timeless', status: 'done' },
    { id: 'odd', status: 'done', completed_at: 'yesterday' },
    { id: 'open', completed_at: at(-1) },
  );
  const row = (id: string, status: string, ms: number, note: string | null, artifacts: string[] = []) => ({
    ...{ id, title: id, status, completed_at: at(ms), artifacts, note },
  });
  expect(discover(graph, NOW - 10)).toEqual({
    since: at(-10),
    tasks: [
      row('a', 'failed', -5, 'broke'),
      row('b', 'done', -5, 'last'),
      row('mute', 'failed', -9, null, ['x']),
      row('blank', 'abandoned', -10, null),
    ],
    total: 4,
  });
});

test('a resource is counted by what its unit or type says', () => {
  const resource = (id: string, fields: object) => ({ kind: 'resource', id, ...fields }) as never;
  const rows = [
    resource('hr', { unit: 'HR' }),
    resource('ph', { unit: 'person-hours', available: 2 }),
    resource('time', { type: 'Time', available: 1.5 }),
    resource('usd', { unit: 'usd', available: 3 }),
    resource('endless', { available: Number.POSITIVE_INFINITY }),
    resource('named', { name: 'A name', type: 'hoursly', unit: 'h h' }),
  ];
  const requires = ['hr', 'ph', 'time', 'usd', 'endless', 'named', 'unknown'];
  const graph = graphOf(
    { id: 'a', estimate: { hours: 2, cost: 3 }, requires },
    { id: 'b', requires: ['usd', 'zoo'] },
    ...rows,
  );
  const { resources, unknown } = resourceUse(graph);
  expect(
    resources.map(({ id, available, required, remaining, over, name }) => [
      id,
      available,
      required,
      remaining,
      over,
      name,
    ]),
  ).toEqual([
    ['endless', null, 3, null, false, null],
    ['hr', null, 2, null, false, null],
    ['named', null, 3, null, false, 'A name'],
    ['ph', 2, 2, 0, false, null],
    ['time', 1.5, 2, -0.5, true, null],
    ['usd', 3, 3, 0, false, null],
  ]);
  expect(unknown).toEqual([
    { id: 'unknown', tasks: ['a'] },
    { id: 'zoo', tasks: ['b'] },
  ]);
});

test.each([
  [[], 'steady'],
  [[0], 'rising'],
  [[-1], 'falling'],
  [[-1, 0], 'steady'],
  [[-1, -1, -1, -1, -1, 0, 0, 0, 0], 'steady'],
  [[-1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0], 'steady'],
  [[-1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0], 'rising'],
  [[-1, -1, -1, -1, -1, 0, 0, 0], 'falling'],
] as const)('of two weeks with tasks done in %j the trend is %s', (weeks, trend) => {
  const tasks = weeks.map((week, number) => ({
    id: `t${number}`,
    status: 'done' as const,
    completed_at: at(week * WEEK - HOUR),
  }));
  expect(velocity(graphOf(...tasks), 2, NOW).trend).toBe(trend);
});

test('of tasks that nothing waits for, the one that has been ready longest comes next', () => {
  const graph = graphOf({ id: 'b', created_at: at(-2) }, { id: 'a', created_at: at(-1), member: 'Neo' });
  const next = (member?: string) => nextUp(graph, member, NOW, { executor: 'claude' });
  expect([next(), next('Neo'), next('Smith')]).toEqual([
    {
      task: { id: 'b', title: 'b', status: 'open', hours: null, member: null, done_by: expect.anything() },
      waiting_for_it: 0,
      ready: 2,
      reason: 'it has been ready longest',
    },
    {
      task: { id: 'a', title: 'a', status: 'open', hours: null, member: 'Neo', done_by: expect.anything() },
      waiting_for_it: 0,
      ready: 1,
      reason: 'it has been ready longest',
    },
    { task: null, waiting_for_it: 0, ready: 0, reason: 'nothing is ready' },
  ]);
  expect(next('a/b').task, 'no member has such a name, not those without one').toBeNull();
});
