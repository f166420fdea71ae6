import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstInOrder } from '#kernel/first-in-order.js';
import { byId, compareText } from '#kernel/order.js';

test('texts are compared by code units, things without an order of their own by id', () => {
  expect(['b', 'B', 'ä', 'a', ''].sort(compareText)).toEqual(['', 'B', 'a', 'b', 'ä']);
  expect([{ id: 'b' }, { id: 'a' }, { id: 'c' }].sort(byId).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

test('the first in an order are those that sorting all of them puts first, equals as they came', () => {
  const item = fc.record({ key: fc.nat(5), name: fc.string() });
  const property = fc.property(fc.array(item), fc.nat(8), (items, count) => {
    const before = [...items];
    const first = firstInOrder(items, count, (left, right) => left.key - right.key);
    expect(first).toEqual(items.toSorted((left, right) => left.key - right.key).slice(0, count));
    expect(items).toEqual(before);
  });
  fc.assert(property, { seed: 7 });
});
