import { expect } from 'vitest';
import { firstRanked, firstReady } from '#core/coordinator/first-ready.js';
import type { Task } from '#core/graph/task.js';
import type { GraphDraft } from '#core/graph/view.js';
import { verifies } from '../../verifies.js';
import { graphOf, NOW } from './stage.js';

/** Tasks with the time since which each is ready, relative to now; `d` and `e` are paused. */
const SINCE = new Map([
  ['a', -30],
  ['b', -20],
  ['c', 0],
  ['d', 10],
  ['e', 0],
  ['f', 10],
]);
const graph: GraphDraft = Object.assign(
  graphOf(...[...SINCE.keys()].map((id) => ({ id, ...('de'.includes(id) ? { paused: true } : {}) }))),
  {
    readyAt: (id: string) => {
      const since = SINCE.get(id);
      return since === undefined ? undefined : NOW + since;
    },
  },
);
const all = ['a', 'b', 'c', 'd', 'e', 'f', 'gone'];
const rows = (found: readonly { readonly task: Task; readonly since: number }[]) =>
  found.map(({ task, since }) => `${task.id} ${since > 1_000 ? since - NOW : since}`);

verifies('dispatch.cap', 'the first ready tasks, in the order of the candidates, until there are enough', () => {
  const first = (most: number, accepts = (_task: Task) => true, candidates = all) =>
    rows(firstReady(graph, candidates, most, NOW, accepts));
  // A task that becomes ready later is asked again; any other is ready as the graph says.
  expect(first(9)).toEqual(['a -30', 'b -20', 'c 0', 'e 0', 'f 10']);
  expect([first(0), first(-1), first(1), first(2)]).toEqual([[], [], ['a -30'], ['a -30', 'b -20']]);
  expect(first(2, ({ id }) => id !== 'a')).toEqual(['b -20', 'c 0']);
  expect(first(1, () => false)).toEqual([]);
  const asked: string[] = [];
  first(2, ({ id }) => asked.push(id) > 0);
  expect(asked).toEqual(['a', 'b']);
});

verifies('dispatch.cap', 'the ready tasks of the lowest rank, equal ones by id', () => {
  const ranks: Readonly<Record<string, number>> = { a: 3, b: 1, c: 2, d: 0, e: 1, f: 2 };
  const ranked = (most: number, accepts = (_task: Task) => true, candidates = all) =>
    rows(firstRanked(graph, candidates, most, NOW, accepts, (id) => ranks[id] ?? 0));
  expect(ranked(9)).toEqual(['b 1', 'e 1', 'c 2', 'f 2', 'a 3']);
  expect(ranked(9, undefined, [...all].reverse())).toEqual(['b 1', 'e 1', 'c 2', 'f 2', 'a 3']);
  for (const candidates of [all, [...all].reverse(), ['f', 'c', 'a', 'e', 'b']])
    expect([1, 2, 3].map((most) => ranked(most, undefined, candidates))).toEqual([
      ['b 1'],
      ['b 1', 'e 1'],
      ['b 1', 'e 1', 'c 2'],
    ]);
  expect(ranked(2, ({ id }) => id !== 'b')).toEqual(['e 1', 'c 2']);
  const since = (id: string, readySince: number) => (id === 'b' ? 0 : readySince);
  expect(rows(firstRanked(graph, all, 2, NOW, () => true, since))).toEqual(['b 0', 'a -30']);
  // A task that cannot be among the first is not asked for.
  const asked: string[] = [];
  ranked(1, ({ id }) => asked.push(id) > 0, ['b', 'e', 'a', 'c']);
  expect(asked).toEqual(['b']);
});
