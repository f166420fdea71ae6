import { expect, test } from 'vitest';
import { blockingOf, heldBy } from '#core/analysis/blocking.js';
import { type Coordination, NO_COORDINATION } from '#core/analysis/coordination.js';
import { whyFacts } from '#core/analysis/why.js';
import type { Task } from '#core/graph/task.js';
import { LIMITS } from '#kernel/limits.js';
import { verifies } from '../../verifies.js';
import { graphOf, NOW } from '../graph/graph.js';

const SERVED: Coordination = { running: true, paused: false, alive: 1, most: 4 };
const LATER = '2026-03-21T13:00:00.000Z';
const EARLIER = '2026-03-21T09:58:00.000Z';

function facts(coordination: Coordination, id: string, ...tasks: (Partial<Task> & { id: string })[]) {
  const graph = graphOf(...tasks);
  const task = graph.task(id);
  if (!task) throw new Error(id);
  return whyFacts(graph, task, NOW, coordination);
}
const said = (id: string, ...tasks: (Partial<Task> & { id: string })[]) =>
  facts(NO_COORDINATION, id, ...tasks)[0]?.text;

test('a task that ended says how', () => {
  expect(said('a', { id: 'a', status: 'done' })).toBe('It is done; `troupe reopen a` takes it up again.');
  expect(said('a', { id: 'a', status: 'failed', failure_reason: 'exit code 3.\n' })).toBe(
    'It failed: exit code 3; try again with `troupe retry a`.',
  );
  expect(said('a', { id: 'a', status: 'failed' })).toContain('nobody said why');
  expect(said('a', { id: 'a', status: 'abandoned' })).toContain('`troupe reopen a`');
});

test('a task at work says who holds it, and whether anybody watches', () => {
  const held = { id: 'a', status: 'in-progress', started_at: EARLIER } as const;
  expect(said('a', { ...held, assigned: 'ann' })).toBe('ann has held it for 2m; `troupe unclaim a` takes it back.');
  expect(facts(SERVED, 'a', { ...held, assigned: 'agent-7' })[0]).toEqual({
    code: 'claimed',
    text: 'agent-7 has been running it for 2m: `troupe output a`.',
    since: EARLIER,
    until: null,
    refs: ['agent-7'],
  });
  expect(facts(NO_COORDINATION, 'a', { ...held, assigned: 'agent-7' })[0]).toMatchObject({
    code: 'service-down',
    text: 'agent-7 has held it for 2m, and no coordinator watches: `troupe service start`.',
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
    text: 'It is parked until 3h have passed or b is done or x.txt changes or a person answers or a message comes; `troupe resume a` wakes it now.',
    since: EARLIER,
    until: LATER,
    refs: ['b'],
  });
  expect(said('a', { id: 'a', status: 'waiting' })).toBe('It is parked; `troupe resume a` wakes it now.');
});

test('a ready task says why nobody has begun', () => {
  const code = (coordination: Coordination, task: Partial<Task>) =>
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
  const all = facts(SERVED, 'a', ...tasks.map((task) => ({ ...task }) as Partial<Task> & { id: string }));
  expect(all.map((fact) => fact.code)).toEqual(['paused', 'needs-success', 'predecessor', 'time']);
  expect(all[1]?.text).toBe('It needs lost to be done, and that failed: red; try it again with `troupe retry lost`.');
  expect(all[3]).toMatchObject({ until: LATER });
  expect(all[3]?.text).toContain('in 3h; `troupe reschedule a --after 0`');
  expect(said('a', { id: 'a', ready_after: LATER, deaths: 2 })).toContain('Its last attempts died');
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
  expect(said('a', ...chain, { id: 'd' })).toBe('It waits for b and 1 more, behind d, which is ready: `troupe why d`.');
  expect(said('b', ...chain, { id: 'd', status: 'in-progress', assigned: 'ann' })).toBe(
    'It waits for d, which is held by ann: `troupe why d`.',
  );
  expect(said('a', { id: 'a', after: ['b', 'c'] }, { id: 'b' }, { id: 'c', status: 'in-progress' })).toBe(
    'It waits for c, which is in progress, and 1 more: `troupe why c`.',
  );
});

verifies('graph.cycle.unconfigured', 'members of a cycle without a config are told that none can begin', () => {
  const fact = facts(SERVED, 'b', { id: 'a', after: ['b'] }, { id: 'b', after: ['a'] })[0];
  expect(fact).toMatchObject({ code: 'predecessor', refs: ['a', 'b'] });
  expect(fact?.text).toContain('`troupe edit a --max-iterations 3`');
  expect(said('a', { id: 'a', after: ['a'] })).toContain('It comes after itself');
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
  expect(heldBy(graph, top, NOW).map((task) => task.id)).toEqual(['left', 'right']);
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
    expect(JSON.stringify(found.blocking_chain).match(/"id"/g)?.length).toBe(LIMITS.blockingDepth + 1);
  },
);
