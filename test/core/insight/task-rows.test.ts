import { expect } from 'vitest';
import { groupRows, rowsMatching, sortRows, type TaskFilter } from '#core/insight/task-rows.js';
import { verifies } from '../../verifies.js';
import { graphOf, NOW } from '../graph/graph.js';

const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();
const graph = graphOf(
  { id: 'plan', status: 'done', started_at: at(-9), completed_at: at(-5), tags: ['wf:release', 'core'], member: 'Ann' },
  { id: 'build', status: 'in-progress', assigned: 'agent-1', started_at: at(-4), tags: ['wf:release'], member: 'Ben' },
  { id: 'ship', status: 'open', after: ['build'], tags: ['core', 'urgent'] },
  { id: 'write', status: 'open', title: 'Write it down', member: 'Ann' },
  { id: 'old', status: 'failed', completed_at: at(-60) },
);
const around = { now: NOW, workerOf: (run: string) => (run === 'agent-1' ? 'box-2' : undefined) };
const found = (filter: TaskFilter) =>
  sortRows(rowsMatching(graph, filter, around), undefined, { now: NOW, descending: false });
const ids = (filter: TaskFilter) => found(filter).map(({ task }) => task.id);

verifies('web.tasks.table', 'filters of one property are any of its values, of several all; - is none', () => {
  expect(ids({})).toEqual(['old', 'build', 'ship', 'write', 'plan']);
  expect(ids({ state: ['ready', 'failed'] })).toEqual(['old', 'write']);
  expect(ids({ tag: ['core'], member: ['Ann'] })).toEqual(['plan']);
  expect(ids({ tag: ['urgent', 'wf:release'] })).toEqual(['ship']);
  expect(ids({ playbook: ['release'] })).toEqual(['build', 'plan']);
  expect(ids({ member: ['-'] })).toEqual(['old', 'ship']);
  expect(ids({ worker: ['box-2'] })).toEqual(['build']);
  expect(ids({ search: 'write' })).toEqual(['write']);
});

verifies('web.tasks.table', 'a sort puts tasks without the property last in both directions', () => {
  const sorted = (sort: 'member' | 'time' | 'title' | 'state', descending: boolean) =>
    sortRows(rowsMatching(graph, {}, around), sort, { now: NOW, descending }).map(({ task }) => task.id);
  expect(sorted('member', false)).toEqual(['write', 'plan', 'build', 'old', 'ship']);
  expect(sorted('member', true)).toEqual(['build', 'write', 'plan', 'old', 'ship']);
  expect(sorted('time', true).slice(0, 2)).toEqual(['build', 'plan']);
  expect(sorted('title', false)).toEqual(['build', 'old', 'plan', 'ship', 'write']);
  expect(sorted('state', false)[0]).toBe('old');
});

verifies('web.tasks.table', 'groups are in order with their counts, and the tasks without the property last', () => {
  expect(groupRows(found({}), 'member').map(({ value, rows, counts }) => [value, rows.length, counts])).toEqual([
    [
      'Ann',
      2,
      [
        ['ready', 1],
        ['done', 1],
      ],
    ],
    ['Ben', 1, [['in-progress', 1]]],
    [
      undefined,
      2,
      [
        ['failed', 1],
        ['open', 1],
      ],
    ],
  ]);
  expect(groupRows(found({}), 'state').map(({ value }) => value)).toEqual([
    'failed',
    'in-progress',
    'ready',
    'open',
    'done',
  ]);
});
