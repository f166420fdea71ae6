import { expect, test } from 'vitest';
import { keptLastRunField, lastRunOf, newSessionField } from '#core/graph/attempts.js';
import { departedNodes } from '#core/graph/departed.js';
import type { Entry } from '#core/graph/event.js';
import { handEdit } from '#core/graph/hand-edit.js';
import { checkClaim } from '#core/graph/moves.js';
import { placeTask, proposePlacement } from '#core/graph/place.js';
import { approveTask } from '#core/graph/review.js';
import { mayAddTasks } from '#core/graph/run-rights.js';
import type { GraphNode } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { answerTask, isUnreported, UNREPORTED } from '#core/graph/unreported.js';
import { acceptEdit } from '#core/graph/unverified-moves.js';
import { wake } from '#core/graph/wait.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { ann, codeOf, graphOf, NOW, type TaskFields, task } from './graph.js';

const options = { now: NOW, by: ann };

test('where a task belongs: with those it is near to, after what it reads, or where it stands', () => {
  const rows = [
    ...[
      { id: 'a', deliverables: ['x.md'] },
      { id: 'b', deliverables: ['y.md', 'x.md'] },
      { id: 'c', after: ['a', 'b'] },
    ],
    { id: 'd', deliverables: ['z.md'] },
  ];
  const of = (fields: TaskFields) =>
    proposePlacement(graphOf(...rows, { id: 'new', ...fields }), task({ id: 'new', ...fields }));
  expect(of({ place_near: ['c', 'gone', 'a'] })).toEqual({ after: ['a', 'b'] });
  expect(of({ place_near: ['a'], inputs: ['x.md'] })).toEqual({ after: ['a', 'b'] });
  expect(of({ inputs: ['x.md'], deliverables: ['x.md'] })).toEqual({ after: ['a', 'b'] });
  expect([of({ inputs: ['none.md'] }), of({})]).toEqual([{ after: [] }, {}]);
});

test('a placement becomes edges, but for those that are there, unknown, or would close a cycle', () => {
  const view = graphOf(
    ...[{ id: 'a' }, { id: 'b', after: ['a'] }, { id: 'new', after: ['a'], place_near: ['x'], unplaced: true }],
    ...[{ id: 'later', after: ['new'] }, { id: 'last', after: ['later'] }, { id: 'other' }],
  );
  const plan = (proposal: object) =>
    placeTask(view, 'new', proposal, NOW).events.map(({ op, patch, actor }) => ({ op, actor, patch }));
  const placed = (message: string, set: object, ...more: object[]) => [
    {
      ...{ op: 'place', actor: 'coordinator' },
      patch: [
        {
          ...{ id: 'new', set, unset: ['unplaced', 'place_near'], log_at: 0 },
          log: [{ timestamp: '2026-03-21T10:00:00.000Z', actor: 'coordinator', message }],
        },
        ...more,
      ],
    },
  ];
  expect(plan({})).toEqual(placed('Placed where it is', { after: ['a'] }));
  const wide = { after: ['b', 'a', 'new', 'gone', 'later', 'last', 'b', 'other'] };
  expect(plan(wide)).toEqual(placed('Placed after b, other', { after: ['a', 'b', 'other'] }));
  const before = plan({ after: ['b'], before: ['other', 'a', 'b', 'new', 'other'] });
  expect(before[0]?.patch.slice(1)).toMatchObject([{ id: 'other', set: { after: ['new'] } }]);
  expect(before[0]?.patch).toHaveLength(2);
  expect(placeTask(view, 'gone', {}, NOW).events).toEqual([]);
  const bare = placeTask(graphOf({ id: 'n', unplaced: true }), 'n', {}, NOW).events[0]?.patch[0];
  expect(bare).not.toHaveProperty('set.after');
  const ids = Array.from({ length: WORK_LIMITS.edgesPerTask + 1 }, (_, index) => `t${index}`);
  const many = placeTask(graphOf({ id: 'n' }, ...ids.map((id) => ({ id }))), 'n', { after: ids }, NOW);
  expect(many.events[0]?.patch[0]).toMatchObject({ set: { after: ids.slice(0, -1) } });
});

test('what a hand changed in the file, three ways', () => {
  const node = (id: string, more: object = {}): GraphNode => task({ id, ...more });
  const map = (...nodes: GraphNode[]) => new Map(nodes.map((one) => [one.id, one]));
  const edit = (base: GraphNode[], hand: GraphNode[], present: GraphNode[], unreadable: string[] = []) =>
    handEdit(map(...base), map(...hand), (id) => map(...present).get(id), new Set(unreadable)).flatMap(
      ({ patch }) => patch,
    );
  const [a, titled] = [node('a'), node('a', { title: 'New' })];
  expect(edit([a], [a], [titled]), 'the state stays').toEqual([]);
  expect(edit([a], [titled], [a])).toEqual([{ id: 'a', set: { title: 'New' } }]);
  expect(edit([a], [titled], [titled]), 'the same').toEqual([]);
  expect(edit([], [node('a', { rev: 7 })], [])).toEqual([{ id: 'a', put: { ...a } }]);
  expect(edit([a], [node('a', { rev: 9 })], []), 'it went, and the hand said nothing').toEqual([]);
  expect(edit([a], [titled], [])).toEqual([{ id: 'a', put: { ...titled } }]);
  expect(edit([a, node('b')], [a], [a, node('b')])).toEqual([{ id: 'b', del: true }]);
  expect([edit([a, node('b')], [a], [a]), edit([a, node('b')], [a], [a, node('b')], ['b'])]).toEqual([[], []]);
  const rich = node('a', { tags: ['x'], log: [{ message: 'l' }], fence: 2 });
  expect(edit([rich], [node('a', { fence: 9, log: [] })], [rich])).toEqual([
    { id: 'a', unset: ['tags'], log_at: 0, log: [] },
  ]);
  expect(edit([rich], [node('a', { tags: ['x'], fence: 2 })], [rich])).toEqual([{ id: 'a', log_at: 0, log: [] }]);
  expect(edit([], [titled], [a]), 'there since').toEqual([{ id: 'a', set: { title: 'New' } }]);
});

test('nodes that an entry took out and keeps', () => {
  const kept = { kind: 'task', id: 'a', title: 'A' };
  const entry = {
    seq: 9,
    patch: [
      { id: 'a', del: true, kept },
      { id: 'b', del: true },
      { id: 'c', set: {} },
    ],
  } as never as Entry;
  expect(departedNodes(entry)).toEqual([{ ...kept, rev: 9 }]);
});

test('who goes on after a wait, and after an answer', () => {
  const parked = { started_at: 't', wait_condition: { conditions: [] } as never };
  const fields = (of: TaskFields) =>
    wake(task({ id: 'a', status: 'waiting', ...parked, ...of }), 'why', options).patch[0];
  expect(fields({ assigned: 'agent-1' })).toMatchObject({ set: { status: 'in-progress' }, unset: ['wait_condition'] });
  expect(fields({})).toMatchObject({ set: { status: 'open' }, unset: ['wait_condition', 'started_at'] });
  const unreported = { status: 'pending-validation' as const, failure_reason: UNREPORTED };
  expect(
    [unreported, { ...unreported, failure_reason: undefined }, { ...unreported, status: 'open' as const }].map((one) =>
      isUnreported(task(one as TaskFields)),
    ),
  ).toEqual([true, false, false]);
  const last_run = { run: 'agent-1', iteration: 0 };
  const answered = (more: TaskFields) =>
    answerTask(graphOf({ id: 'a', ...parked, assigned: 'agent-1', ...unreported, last_run, ...more }), 'a', options);
  expect(answered({ fence: 3 }).events[0]?.patch[0]).toMatchObject({
    set: { status: 'open', last_run: { ...last_run, goes_on: 3 } },
    unset: ['assigned', 'started_at', 'failure_reason', 'wait_condition'],
  });
  expect(answered({}).events[0]?.patch[0]).toMatchObject({ set: { last_run: { goes_on: 0 } } });
  expect(answered({ status: 'open' }).events).toEqual([]);
  expect(codeOf(() => answered({ last_run: undefined }))).toBe('wrong_status');
});

test('the last run of a task is kept with a claim that began none, and without its session for another role', () => {
  const last = (more: object) =>
    task({ last_run: { run: 'r', iteration: 1, goes_on: 2, ...more }, fence: 3, status: 'open' });
  expect(keptLastRunField(last({}))).toEqual({ last_run: { run: 'r', iteration: 1, goes_on: 3 } });
  expect([keptLastRunField(last({ goes_on: 1 })), keptLastRunField(task({ fence: 3 }))]).toEqual([{}, {}]);
  expect(newSessionField(last({}))).toEqual({ last_run: { run: 'r', iteration: 1, goes_on: 2, session_over: true } });
  expect(newSessionField(task({}))).toEqual({});
  expect(lastRunOf(last({ session_over: true }))).toMatchObject({ sessionOver: true });
});

test('a claim is held under its name and number; of a task that is gone nothing is said', () => {
  const view = graphOf({ id: 'a', assigned: 'agent-1', fence: 2 });
  const claim = (by: object) => codeOf(() => checkClaim(view, { name: 'agent-1', ...by }));
  expect([
    claim({ taskId: 'a', fence: 2 }),
    claim({ taskId: 'gone', fence: 2 }),
    claim({}),
    claim({ fence: 1 }),
  ]).toEqual(Array(4).fill('none'));
  expect([claim({ taskId: 'a', fence: 1 }), claim({ taskId: 'a', fence: 2, name: 'agent-2' })]).toEqual(
    Array(2).fill('stale_attempt'),
  );
});

test('a run adds tasks as deep as it may, and a trial none', () => {
  const view = graphOf({ id: 'top' }, { id: 'mid', parent: 'top' }, { id: 'low', parent: 'mid' }, { id: '.trial-x' });
  const may = (id: string, limits: object = {}) =>
    mayAddTasks(view, taskOf(view, id), { children: 1, depth: 2, ...limits });
  expect([may('top'), may('mid'), may('low'), may('.trial-x')]).toEqual([true, true, false, false]);
  expect([may('top', { children: 0 }), may('low', { depth: 3 })]).toEqual([false, true]);
});

test('a run reviews by the task that was made for it, not by one of its own', () => {
  const review = {
    id: 'review-a',
    status: 'in-progress' as const,
    assigned: 'agent-2',
    fence: 1,
    after: ['a'],
    tags: ['review'],
  };
  const verdict = (more: TaskFields, by: object = {}) => {
    const view = graphOf(
      { id: 'a', status: 'pending-validation', assigned: 'agent-1', fence: 1, verify: 'x' },
      { ...review, ...more },
    );
    return codeOf(() =>
      approveTask(view, 'a', { now: NOW, by: { name: 'agent-2', fence: 1, taskId: 'review-a', ...by } }),
    );
  };
  expect(verdict({ parent: 'b' })).not.toBe('none');
  expect(verdict({}, { taskId: 'a' })).not.toBe('none');
});

test('an edit that a person accepts is applied as it was made, lines of the log with it', () => {
  const log = [{ timestamp: 't', message: 'm' }];
  const accept = (set: object) =>
    acceptEdit(graphOf({ id: 'a', unverified_edit: { set, unset: ['tags'] }, tags: ['x'] }), 'a', options).events[0]
      ?.patch[0];
  expect(accept({ title: 'New', log })).toMatchObject({ set: { title: 'New' }, log_at: 0, log });
  expect(accept({ title: 'New' })).toMatchObject({
    set: { title: 'New' },
    unset: ['tags', 'unverified_edit'],
  });
});
