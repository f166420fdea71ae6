import { expect } from 'vitest';
import { KeptValues, placesIn } from '#kernel/kept-values.js';
import { verifies } from '../verifies.js';

verifies(
  'fleet.sim',
  'items of a list are found at their places in an earlier one, whichever went, came or changed',
  () => {
    const places = (earlier: string, items: string) => [...placesIn([...earlier], [...items])];
    expect(places('abcd', 'abcd')).toEqual([0, 1, 2, 3]);
    expect(places('abcd', 'bd')).toEqual([1, 3]);
    expect(places('abcd', 'aXbcdY')).toEqual([0, -1, 1, 2, 3, -1]);
    expect(places('abcd', 'aBcd')).toEqual([0, -1, 2, 3]);
    expect(places('', 'ab')).toEqual([-1, -1]);
    const many = Array.from({ length: 40 }, (_, at) => at);
    expect([...placesIn(many, [0, 20, 21])]).toEqual([0, -1, -1]); // too far: computed anew
  },
);

verifies('fleet.sim', 'a value is computed once for an item, as long as the item stays in the list', () => {
  const computed: string[] = [];
  const sizes = new KeptValues(({ name }: { name: string }) => {
    computed.push(name);
    return name.length;
  });
  const [a, b, c] = [{ name: 'a' }, { name: 'bb' }, { name: 'ccc' }];
  expect(sizes.of([a, b])).toEqual([1, 2]);
  expect(sizes.of([b, c])).toEqual([2, 3]);
  expect(sizes.of([{ name: 'b' }, c])).toEqual([1, 3]);
  expect(computed).toEqual(['a', 'bb', 'ccc', 'b']);
});
