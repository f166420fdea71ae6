import { expect, test } from 'vitest';
import { type LayoutTask, layersOf, spread } from '#core/insight/layout.js';

const graph = (edges: Readonly<Record<string, readonly string[]>>): LayoutTask[] =>
  Object.entries(edges).map(([id, after]) => ({ id, after }));

test('a task stands one layer behind the last of those before it', () => {
  const { layerOf } = layersOf(graph({ a: [], b: ['a'], c: ['a', 'b'], d: ['a'], e: ['c', 'd', 'unknown'] }));
  expect(Object.fromEntries(layerOf)).toEqual({ a: 0, b: 1, c: 2, d: 1, e: 3 });
});

test('cycles of every shape end, each with an edge that leads back', () => {
  const self = layersOf(graph({ a: ['a'] }));
  expect(self.edges).toEqual([{ from: 'a', to: 'a', back: true }]);
  const review = layersOf(graph({ plan: [], write: ['plan', 'review'], review: ['write'], publish: ['review'] }));
  expect(Object.fromEntries(review.layerOf)).toEqual({ plan: 0, write: 1, review: 2, publish: 3 });
  expect(review.edges.filter((edge) => edge.back)).toEqual([{ from: 'review', to: 'write', back: true }]);
  const ring = layersOf(graph({ a: ['c'], b: ['a'], c: ['b'], d: ['b', 'd'] }));
  expect(ring.edges.filter((edge) => edge.back)).toHaveLength(2);
});

test('a chain of thousands does not recurse', () => {
  const chain = Array.from({ length: 5_000 }, (_, index) => ({
    id: `t${index}`,
    after: index === 0 ? [] : [`t${index - 1}`],
  }));
  expect(layersOf([...chain].reverse()).layerOf.get('t4999')).toBe(4_999);
});

test('spreading keeps order and gaps and moves as little as possible', () => {
  expect(spread([0, 0, 0], [0, 10, 10])).toEqual([-10, 0, 10]);
  expect(spread([0, 100], [0, 10])).toEqual([0, 100]);
  const [firm = 0, loose = 0] = spread([5, 4], [0, 10], [1, 0.000_001]);
  expect([firm, loose].map(Math.round)).toEqual([5, 15]);
  expect(spread([], [])).toEqual([]);
});
