import fc from 'fast-check';
import { expect, test } from 'vitest';
import { STATUSES, type Task } from '#core/graph/task.js';
import { blockingOf, unmetDependencies } from '#core/insight/blocking.js';
import { COORDINATION_CODES, type Coordination, NO_COORDINATION } from '#core/insight/coordination.js';
import { reasonsOf, whyFacts } from '#core/insight/why.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { verifies } from '../../verifies.js';
import type { TaskFields } from '../graph/graph.js';
import { graphOf, NOW } from '../graph/graph.js';

const HELD = { client: 'claude', text: 'claude: the key is refused', remedy: 'mend it', since: 0, until: 60_000 };
const SERVED: Coordination = { running: true, paused: false, alive: 1, most: 4, waitsForTrust: () => false };
const LATER = '2026-03-21T13:00:00.000Z';
const EARLIER = '2026-03-21T09:58:00.000Z';

const CLOSED: readonly string[] = [
  ...['status', 'paused', 'time', 'predecessor', 'needs-success', 'unplaced', 'cycle-restart'],
  ...COORDINATION_CODES,
];

function facts(coordination: Coordination, id: string, ...tasks: (TaskFields & { id: string })[]) {
  const graph = graphOf(...tasks);
  const task = graph.task(id);
  if (!task) throw new Error(id);
  return whyFacts(graph, task, NOW, coordination);
}
const said = (id: string, ...tasks: (TaskFields & { id: string })[]) => facts(NO_COORDINATION, id, ...tasks)[0]?.text;

test('a task that ended says how', () => {
  expect(said('a', { id: 'a', status: 'done' })).toBe('It is done; reopen it with `troupe reopen a`.');
  expect(said('a', { id: 'a', status: 'failed', failure_reason: 'exit code 3.\n' })).toBe(
    'It failed: exit code 3; retry with `troupe retry a`.',
  );
  expect(said('a', { id: 'a', status: 'failed' })).toContain('no reason was given');
  expect(said('a', { id: 'a', status: 'abandoned' })).toContain('`troupe reopen a`');
});

test('a pause is told of a task in any state that goes on', () => {
  const codes = STATUSES.map((status) => {
    const graph = graphOf({ id: 'a', status, paused: true, assigned: 'ann', started_at: EARLIER });
    const task = graph.task('a');
    return [status, task && whyFacts(graph, task, NOW, NO_COORDINATION).map(({ code }) => code)];
  });
  expect(Object.fromEntries(codes)).toEqual({
    ...{ open: ['paused'], 'in-progress': ['claimed', 'paused'], waiting: ['paused', 'status'] },
    ...{ 'pending-validation': ['gate', 'paused'], blocked: ['status', 'paused'] },
    ...{ done: ['status'], failed: ['status'], abandoned: ['status'] },
  });
});

test('a task at work says who holds it, and whether anybody watches', () => {
  const held = { id: 'a', status: 'in-progress', started_at: EARLIER } as const;
  expect(said('a', { ...held, assigned: 'ann' })).toBe('ann has held it for 2m; `troupe unclaim a` releases it.');
  expect(facts(SERVED, 'a', { ...held, assigned: 'agent-7' })[0]).toEqual({
    code: 'claimed',
    text: 'agent-7 has been running it for 2m: `troupe output a`.',
    since: EARLIER,
    until: null,
    refs: ['agent-7'],
  });
  expect(facts(NO_COORDINATION, 'a', { ...held, assigned: 'agent-7' })[0]).toMatchObject({
    code: 'service-down',
    text: 'agent-7 has held it for 2m, and no coordinator is running: `troupe service start`.',
  });
});

test('a task that a person has to look at says which command', () => {
  expect(said('a', { id: 'a', status: 'pending-validation' })).toContain('`troupe approve a` or `troupe reject a`');
  expect(said('a', { id: 'a', status: 'blocked' })).toContain('`troupe reopen a`');
  const wait_condition = {
    mode: 'any',
    since: EARLIER,
    conditions: [
      { type: 'timer', resume_after: LATER },
      { type: 'task-status', task_id: 'b', status: 'done' },
      { type: 'file-changed', path: 'x.txt', mtime_at_wait: 0 },
      { type: 'human-input' },
      { type: 'message' },
    ],
  } as const;
  expect(facts(SERVED, 'a', { id: 'a', status: 'waiting', wait_condition })[0]).toEqual({
    code: 'status',
    text: 'It is waiting until 3h have passed or b is done or x.txt changes or a person answers or a message comes; `troupe resume a` resumes it now.',
    since: EARLIER,
    until: LATER,
    refs: ['b'],
  });
  expect(said('a', { id: 'a', status: 'waiting' })).toBe('It is waiting; `troupe resume a` resumes it now.');
});

test('a ready task says why nobody has begun', () => {
  const code = (coordination: Coordination, task: TaskFields) =>
    facts(coordination, 'a', { id: 'a', ...task })[0]?.code;
  expect(code(NO_COORDINATION, { exec: 'true' })).toBe('service-down');
  expect(code({ ...SERVED, paused: true }, { exec: 'true' })).toBe('service-paused');
  expect(code({ ...SERVED, alive: 4 }, { exec: 'true' })).toBe('slots');
  expect(code(SERVED, {})).toBe('executor');
  expect(said('a', { id: 'a' })).toContain('no command and no member: `troupe claim a`');
  expect(said('a', { id: 'a', member: 'Trinity' })).toContain('`troupe claim a --actor Trinity`');
  expect(said("x'; rm -rf ~", { id: "x'; rm -rf ~" })).toContain("`troupe claim 'x'\\''; rm -rf ~'`");
});

test('what a person decides comes first, time comes last, and the rest is told too', () => {
  const tasks = [
    { id: 'a', paused: true, not_before: LATER, after: ['lost', 'b'], after_success: ['lost'] },
    { id: 'lost', status: 'failed', failure_reason: 'red' },
    { id: 'b' },
  ] as const;
  const all = facts(SERVED, 'a', ...tasks.map((task) => ({ ...task }) as TaskFields & { id: string }));
  expect(all.map((fact) => fact.code)).toEqual(['paused', 'needs-success', 'predecessor', 'time']);
  expect(all[1]?.text).toBe('It needs lost to succeed, but that failed: red; retry with `troupe retry lost`.');
  expect(all[3]).toMatchObject({ until: LATER });
  expect(all[3]?.text).toContain('in 3h; `troupe reschedule a --after 0`');
  expect(said('a', { id: 'a', ready_after: LATER, deaths: [EARLIER] })).toContain('Its last attempts died');
  expect(said('a', { id: 'a', after: ['x'], after_success: ['x'] }, { id: 'x', status: 'abandoned' })).toContain(
    '`troupe edit a --remove-after x`',
  );
});

test('a pause between two passes of a cycle keeps what comes after it', () => {
  const fact = facts(
    SERVED,
    'after',
    { id: 'first', status: 'done', after: ['last'], cycle_config: { max_iterations: 3 } },
    { id: 'last', status: 'done', after: ['first'], paused: true },
    { id: 'after', after: ['last'] },
  )[0];
  expect(fact).toMatchObject({ code: 'paused', refs: ['last'] });
  expect(fact?.text).toContain('`troupe resume last`');
});

test('a task that waits names the task where it hangs', () => {
  const chain = [
    { id: 'a', after: ['b', 'c'] },
    { id: 'b', after: ['d'] },
    { id: 'c', after: ['d'] },
  ];
  expect(said('a', ...chain, { id: 'd' })).toBe('It waits for b and 1 more, behind d (ready): `troupe why d`.');
  expect(said('b', ...chain, { id: 'd', status: 'in-progress', assigned: 'ann' })).toBe(
    'It waits for d (held by ann): `troupe why d`.',
  );
  expect(said('a', { id: 'a', after: ['b', 'c'] }, { id: 'b' }, { id: 'c', status: 'in-progress' })).toBe(
    'It waits for c (in progress) and 1 more: `troupe why c`.',
  );
});

verifies('graph.cycle.unconfigured', 'members of a cycle without a config are told that none can begin', () => {
  const fact = facts(SERVED, 'b', { id: 'a', after: ['b'] }, { id: 'b', after: ['a'] })[0];
  expect(fact).toMatchObject({ code: 'predecessor', refs: ['a', 'b'] });
  expect(fact?.text).toContain('`troupe edit a --max-iterations 3`');
  expect(said('a', { id: 'a', after: ['a'] })).toContain('It depends on itself');
});

verifies('graph.show.why-blocked', 'the way back is a tree that opens each task once, and ends where it hangs', () => {
  const graph = graphOf(
    { id: 'top', after: ['left', 'right', 'over'], after_success: ['left'] },
    { id: 'left', after: ['root'] },
    { id: 'right', after: ['left', 'root'] },
    { id: 'root' },
    { id: 'over', status: 'done' },
  );
  const top = graph.task('top') as Task;
  expect(unmetDependencies(graph, top, NOW).map((task) => task.id)).toEqual(['left', 'right']);
  const { blocking_chain, root_blockers, total_blockers } = blockingOf(graph, top, NOW);
  expect(blocking_chain).toEqual({
    id: 'top',
    status: 'open',
    after: [
      { id: 'left', status: 'open', after: [{ id: 'root', status: 'open', after: [] }] },
      {
        id: 'right',
        status: 'open',
        after: [
          { id: 'left', status: 'open', after: [] },
          { id: 'root', status: 'open', after: [] },
        ],
      },
    ],
  });
  expect(root_blockers.map((task) => task.id)).toEqual(['root']);
  expect(total_blockers).toBe(3);
});

verifies(
  'graph.show.why-blocked',
  'a cycle that nobody configured is where it hangs; a deep chain stays printable',
  () => {
    const ring = graphOf(
      { id: 'a', after: ['c'] },
      { id: 'b', after: ['a'] },
      { id: 'c', after: ['b'] },
      { id: 'z', after: ['a'] },
    );
    expect(blockingOf(ring, ring.task('z') as Task, NOW).root_blockers.map((task) => task.id)).toEqual(['a', 'b', 'c']);
    const count = 20_000;
    const deep = graphOf(
      ...Array.from({ length: count }, (_, number) => ({
        id: `t${number}`,
        after: number === 0 ? [] : [`t${number - 1}`],
      })),
    );
    const found = blockingOf(deep, deep.task(`t${count - 1}`) as Task, NOW);
    expect(found.total_blockers).toBe(count - 1);
    expect(found.root_blockers.map((task) => task.id)).toEqual(['t0']);
    expect(JSON.stringify(found.blocking_chain).match(/"id"/g)?.length).toBe(SURFACE_LIMITS.blockingDepth + 1);
  },
);

verifies(
  'why.closed',
  'each code of the coordinator is told by what brings it about, in one sentence, and nothing else is',
  () => {
    const command: TaskFields = { exec: 'true' };
    const held = { status: 'in-progress', assigned: 'agent-7', started_at: EARLIER } as const;
    const session = () => 'night';
    const rows: readonly [(typeof COORDINATION_CODES)[number], TaskFields, Coordination][] = [
      ['claimed', held, SERVED],
      ['trust', command, { ...SERVED, waitsForTrust: () => true }],
      ['slots', command, { ...SERVED, alive: 4 }],
      ['capacity', {}, { ...SERVED, executor: 'claude', full: () => 'Ann has two tasks, as many as she takes' }],
      ['throttled', { ...command, ready_after: LATER, deaths: [EARLIER, EARLIER] } as never, SERVED],
      ['back-off', {}, { ...SERVED, executor: 'claude', backOffUntil: NOW + 60_000 }],
      ['provider', {}, { ...SERVED, executor: 'claude', holdOf: () => HELD }],
      [
        'budget',
        {},
        {
          ...SERVED,
          executor: 'claude',
          refusal: () => ({ text: '1 of 1.5 today is spent', cap: 'usd_per_day', wanted: 2.5 }),
        },
      ],
      ['executor', {}, { ...SERVED, missing: { text: 'claude is not installed.', command: 'y' } }],
      ['gate', { status: 'pending-validation' }, SERVED],
      ['triage', held, { ...SERVED, triaged: new Set(['agent-7']) }],
      ['service-down', command, NO_COORDINATION],
      ['service-paused', command, { ...SERVED, paused: true }],
      ['session-paused', command, { ...SERVED, pausedSession: session }],
    ];
    expect(rows.map(([code]) => code).sort()).toEqual([...COORDINATION_CODES].sort());
    for (const [code, fields, coordination] of rows) {
      const [fact] = facts(coordination, 'a', { id: 'a', ...fields });
      expect(fact?.code).toBe(code);
      expect(fact?.text.replace(/`[^`]*`/g, ''), code).toMatch(/^[A-Za-z].*[.:,]?\s?\.?$/);
      expect(fact?.text.length, code).toBeLessThan(160);
      expect(Object.keys(fact ?? {}).sort()).toEqual(['code', 'refs', 'since', 'text', 'until']);
    }
    expect(facts({ ...SERVED, backOffUntil: NOW + 60_000, executor: 'claude' }, 'a', { id: 'a' })[0]?.until).toBe(
      new Date(NOW + 60_000).toISOString(),
    );
  },
);

verifies('why.closed', 'why is why-blocked, short: the same codes from the same closed list, in every state', () => {
  const some = <Value>(...values: Value[]) => fc.constantFrom(...values);
  const state = fc.record({
    status: some(...STATUSES),
    paused: fc.boolean(),
    unplaced: fc.boolean(),
    exec: some('true', undefined),
    ready_after: some(LATER, EARLIER, undefined),
    deaths: some([EARLIER], undefined),
    before: some(...STATUSES),
    success: fc.boolean(),
    paused_service: fc.boolean(),
    running: fc.boolean(),
    alive: some(1, 4),
    triaged: fc.boolean(),
    full: fc.boolean(),
  });
  fc.assert(
    fc.property(state, (row) => {
      const graph = graphOf({ id: 'b', status: row.before }, {
        id: 'a',
        status: row.status,
        ...(row.status === 'in-progress' ? { assigned: 'agent-7' } : {}),
        ...(row.paused ? { paused: true } : {}),
        ...(row.unplaced ? { unplaced: true } : {}),
        ...(row.exec === undefined ? {} : { exec: row.exec }),
        ...(row.ready_after === undefined ? {} : { ready_after: row.ready_after }),
        ...(row.deaths === undefined ? {} : { deaths: row.deaths }),
        after: ['b'],
        ...(row.success ? { after_success: ['b'] } : {}),
      } as TaskFields & { id: string });
      const task = graph.task('a') as Task;
      const coordination: Coordination = {
        ...SERVED,
        running: row.running,
        paused: row.paused_service,
        alive: row.alive,
        ...(row.triaged ? { triaged: new Set(['agent-7']) } : {}),
        ...(row.full ? { full: () => 'there is enough to do' } : {}),
      };
      const short = whyFacts(graph, task, NOW, coordination).map(({ code }) => code);
      const long = reasonsOf(graph, task, NOW, coordination).map(({ code }) => code);
      expect(short.length).toBeGreaterThan(0);
      for (const code of [...short, ...long]) expect(CLOSED).toContain(code);
      if (long.length === 0) expect(['done', 'failed', 'abandoned', 'in-progress']).toContain(task.status);
      else
        for (const code of short.filter((one) => row.status !== 'in-progress' || one === 'triage'))
          expect(long).toContain(code);
    }),
  );
});

test('a task that missed the file of another says that one is to be opened again', () => {
  const misses = { task: 'other', fence: 1 };
  const failed = { id: 'a', status: 'failed' as const, failure_reason: 'no file', misses };
  const other = { id: 'other', status: 'done' as const, fence: 1 };
  expect(said('a', failed, other)).toBe('It failed: no file; it misses the file of other: `troupe reopen other`.');
  expect(said('a', failed, { ...other, fence: 2 })).toContain('`troupe retry a`');
  expect(said('a', failed, { ...other, status: 'open' })).toContain('`troupe retry a`');
  const tried = (retry_count: number) => said('a', { id: 'a', status: 'failed', max_retries: 2, retry_count });
  expect(tried(2)).toContain('retry with `troupe retry a`, 1 further attempt left');
  expect(tried(1)).toContain('2 further attempts left');
  expect(tried(3)).toContain('so a person reopens it with `troupe reopen a`');
});

test('what a task waits for is named with its state, and with the one where everything hangs', () => {
  const waits = (first: TaskFields, ...more: (TaskFields & { id: string })[]) =>
    said('z', { id: 'z', after: ['a', ...more.map(({ id }) => id)] }, { id: 'a', ...first }, ...more);
  const at = (state: string) => `It waits for a (${state}): \`troupe why a\`.`;
  expect([
    waits({}),
    waits({ status: 'in-progress', assigned: 'ann', started_at: EARLIER }),
    waits({ status: 'in-progress' }),
    waits({ paused: true }),
    waits({ not_before: LATER }),
    waits({ status: 'blocked' }),
    waits({ status: 'pending-validation' }),
  ]).toEqual([
    ...[at('ready'), at('held by ann'), at('in progress'), at('paused'), at('open'), at('blocked')],
    at('needs review'),
  ]);
  expect(waits({}, { id: 'b' })).toBe('It waits for a (ready) and 1 more: `troupe why a`.');
  expect(waits({}, { id: 'b', status: 'in-progress', assigned: 'ben' })).toBe(
    'It waits for b (held by ben) and 1 more: `troupe why b`.',
  );
  const chain = (root: TaskFields) =>
    said('z', { id: 'z', after: ['y'] }, { id: 'y', after: ['x'] }, { id: 'x', ...root });
  expect([chain({}), chain({ status: 'blocked' })]).toEqual([
    'It waits for y, behind x (ready): `troupe why x`.',
    'It waits for y, behind x (blocked): `troupe why x`.',
  ]);
});
