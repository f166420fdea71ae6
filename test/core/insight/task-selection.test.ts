import { expect, test } from 'vitest';
import { selectTasks } from '#core/insight/task-selection.js';
import { graphOf } from '../graph/graph.js';

test('a picture shows the trees in which something is left to do, or those that are named', () => {
  const view = graphOf(
    { id: 'b', status: 'done' },
    { id: 'a', after: ['b', 'gone'] },
    { id: 'c', status: 'done' },
    { id: 'd', status: 'abandoned', after: ['c'] },
    { id: 'e', status: 'failed', after: ['f'] },
    { id: 'f', status: 'done' },
    { id: '.internal', after: ['a'] },
    { id: '.alone' },
  );
  const select = (options: object = {}) => {
    const { tasks, ...counts } = selectTasks(view, {
      finished: false,
      internal: false,
      matches: () => true,
      ...options,
    });
    return [tasks.map(({ id }) => id).join(' '), Object.values(counts)];
  };
  expect(select()).toEqual(['a b e f', [8, 2, 2]]);
  expect(select({ finished: true })).toEqual(['a b c d e f', [8, 0, 2]]);
  expect(select({ internal: true })).toEqual(['.alone .internal a b e f', [8, 2, 0]]);
  expect(select({ ids: ['d'] })).toEqual(['c d', [8, 0, 2]]);
  expect(select({ ids: ['.internal', 'f'] })).toEqual(['.internal a b e f', [8, 0, 1]]);
  expect(select({ ids: [] })).toEqual(['a b e f', [8, 2, 2]]);
  expect(select({ matches: ({ status }: { status: string }) => status === 'done' })).toEqual(['b f', [8, 2, 2]]);
});
