import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LayoutTask } from '#core/insight/layout.js';
import { layOut, NODE } from '../../web/app/pages/tasks/layout.js';
import { related } from '../../web/app/pages/tasks/relations.js';

const graph = (edges: Readonly<Record<string, readonly string[]>>): LayoutTask[] =>
  Object.entries(edges).map(([id, after]) => ({ id, after }));

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
