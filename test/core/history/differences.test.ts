import { expect, test } from 'vitest';
import type { Entry } from '#core/graph/event.js';
import { GraphState } from '#core/graph/state.js';
import type { GraphNode, Task } from '#core/graph/task.js';
import { newestTime, renamedNode } from '#core/history/merge-graphs.js';
import { differences } from '#core/history/node-difference.js';
import { refuseAtWork } from '#core/history/replay.js';
import { frameLayers, framesOf } from '#core/history/replay-frames.js';
import { verifies } from '../../verifies.js';

const node = (id: string, fields: object = {}) => ({ kind: 'task', id, title: id, status: 'open', ...fields }) as Task;

function graph(...nodes: readonly GraphNode[]): GraphState {
  const state = new GraphState();
  state.load(nodes, 1);
  return state;
}

test('of two graphs is said what only one of them has, and which fields differ', () => {
  const first = graph(node('a'), node('both'), node('moved', { tags: ['x'] }));
  const second = graph(node('both'), node('moved', { title: 'M' }), node('b'));
  expect(differences(first, second)).toEqual([
    { id: 'a', kind: 'only-first', fields: [] },
    { id: 'b', kind: 'only-second', fields: [] },
    { id: 'moved', kind: 'fields', fields: ['tags', 'title'] },
  ]);
});

verifies('graph.store.merge', 'a task that gets another id is followed in lists of conditions, too', () => {
  const waiting = node('w', { wait_condition: { any: [{ task: 'old' }, { task: 'other' }], note: 'old' } });
  expect(renamedNode(waiting, new Map([['old', 'new']]))).toMatchObject({
    wait_condition: { any: [{ task: 'new' }, { task: 'other' }], note: 'old' },
  });
});

test('a moment that is no time makes nothing newer', () => {
  expect(newestTime(node('a', { created_at: 'yesterday' }))).toBe(0);
  expect(newestTime(node('a', { created_at: 'yesterday', started_at: '1970-01-01T00:00:02Z' }))).toBe(2_000);
});

test('who works is named, five of them, and how many more there are', () => {
  const busy = Array.from({ length: 7 }, (_, at) => node(`t${at}`, { status: 'in-progress', assigned: 'ann' }));
  expect(() => refuseAtWork(busy)).toThrow(/t4 is in-progress \(ann\) and 2 more: nothing was changed/);
  expect(() => refuseAtWork(busy.slice(0, 5))).toThrow(/t4 is in-progress \(ann\): nothing was changed/);
  refuseAtWork([node('a'), node('b', { status: 'done' })]);
});

verifies(
  'graph.trace.animate',
  'a frame says who changed what; layers follow the edges, in whatever order tasks are given',
  () => {
    const entry = (seq: number, extra: Partial<Entry>): Entry => ({
      ...{ seq, id: `e${seq}`, timestamp: '2026-01-01T00:00:00.000Z', op: 'edit', patch: [] },
      ...extra,
    });
    const entries = [
      entry(1, { op: 'add_task', task_id: 'a', actor: 'ann', patch: [{ id: 'a', put: node('a') }] }),
      entry(2, { task_id: 'a', patch: [{ id: 'a', set: { title: 'A' } }] }),
    ];
    const { frames } = framesOf(entries, new Set(['a']));
    expect(frames.map(({ seq, op, actor, task_id: task }) => [seq, op, actor, task])).toEqual([
      [1, 'add_task', 'ann', 'a'],
      [2, 'edit', undefined, 'a'],
    ]);
    const chain = [node('c', { after: ['b'] }), node('b', { after: ['a'] }), node('a')];
    expect(frameLayers(chain.map(({ id, after = [] }) => ({ id, after })))).toEqual(
      new Map([
        ['a', 0],
        ['b', 1],
        ['c', 2],
      ]),
    );
  },
);
