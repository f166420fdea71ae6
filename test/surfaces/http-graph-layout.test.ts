import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LayoutTask, layersOf, spread } from '#core/insight/layout.js';
import { layOut, NODE } from '../../web/app/pages/graph/layout.js';
import { related } from '../../web/app/pages/graph/relations.js';

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

test('any graph: every edge but a return leads to the right, no task covers another, the same input gives the same picture', () => {
  const anyGraph = fc
    .array(fc.array(fc.nat({ max: 24 }), { maxLength: 4 }), { minLength: 1, maxLength: 25 })
    .map((rows) => rows.map((after, id) => ({ id: `t${id}`, after: after.map((other) => `t${other}`) })));
  fc.assert(
    fc.property(anyGraph, (tasks) => {
      const { places, edges, order } = layOut(tasks);
      expect([...order].sort()).toEqual(tasks.map((task) => task.id).sort());
      for (const { from, to, back } of edges) {
        if (!back) expect(places.get(from)?.x ?? 0).toBeLessThan(places.get(to)?.x ?? 0);
      }
      const seen = [...places.values()];
      for (const [index, place] of seen.entries()) {
        for (const other of seen.slice(index + 1)) {
          expect(place.x !== other.x || Math.abs(place.y - other.y) >= NODE.height).toBe(true);
        }
      }
      expect(layOut(tasks)).toEqual({ places, edges, order });
    }),
    { numRuns: 150, seed: 11 },
  );
});

test('edges that a longer way tells are not drawn; nobody loses a neighbour that way', () => {
  const { edges } = layOut(graph({ a: [], b: ['a'], c: ['b', 'a'], d: ['a'] }));
  expect(edges.map(({ from, to }) => `${from}${to}`).sort()).toEqual(['ab', 'ad', 'bc']);
  expect([...related('c', edges)].sort()).toEqual(['a', 'b', 'c']);
  expect([...related('b', edges)].sort()).toEqual(['a', 'b', 'c']);
});

test('crossings go: two pairs that cross as given do not cross when drawn', () => {
  const { places } = layOut(graph({ a: [], b: [], x: ['b'], y: ['a'] }));
  const above = (left: string, right: string) => (places.get(left)?.y ?? 0) < (places.get(right)?.y ?? 0);
  expect(above('a', 'b')).toBe(above('y', 'x'));
});

test('a long edge bends around the layers it passes', () => {
  const { edges, places } = layOut(graph({ a: [], b: ['a'], c: ['b'], d: ['c'], z: ['a'], end: ['d', 'z'] }));
  const bends = edges.filter((edge) => edge.from === 'z' || edge.to === 'z').flatMap((edge) => edge.bends);
  expect(bends).toHaveLength(2);
  for (const bend of bends) {
    for (const place of places.values()) {
      const inColumn = bend.x > place.x && bend.x < place.x + NODE.width;
      expect(inColumn && bend.y > place.y && bend.y < place.y + NODE.height).toBe(false);
    }
  }
});

test('spreading keeps order and gaps and moves as little as possible', () => {
  expect(spread([0, 0, 0], [0, 10, 10])).toEqual([-10, 0, 10]);
  expect(spread([0, 100], [0, 10])).toEqual([0, 100]);
  const [firm = 0, loose = 0] = spread([5, 4], [0, 10], [1, 0.000_001]);
  expect([firm, loose].map(Math.round)).toEqual([5, 15]);
  expect(spread([], [])).toEqual([]);
});
