import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GrowingList } from '#core/graph/lib/growing-list.js';

test('copies never see what others added or took away', () => {
  const step = fc.record({ of: fc.nat(20), value: fc.constantFrom('a', 'b', 'c', 'd'), add: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const lists = [{ list: new GrowingList(['x']), wanted: ['x'] }];
      for (const { of, value, add } of steps) {
        const from = lists[of % lists.length] ?? { list: new GrowingList([]), wanted: [] };
        const wanted = add ? [...from.wanted, value] : from.wanted.filter((other) => other !== value);
        lists.push({ list: add ? from.list.with(value) : from.list.without(value), wanted });
        for (const { list, wanted } of lists) expect([list.values(), list.length]).toEqual([wanted, wanted.length]);
      }
    }),
  );
});
