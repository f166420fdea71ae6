import fc from 'fast-check';
import { expect } from 'vitest';
import { KeptFilter, listChanges } from '#kernel/list-changes.js';
import { mass } from '../mass.js';
import { verifies } from '../verifies.js';

verifies('fleet.sim', 'the changes between two lists are the items that went and those that came', () => {
  const changes = (earlier: string, items: string) => {
    const { gone, come } = listChanges([...earlier], [...items]);
    return `-${gone.join('')} +${come.join('')}`;
  };
  expect(changes('abcd', 'abcd')).toBe('- +');
  expect(changes('abcd', 'bd')).toBe('-ac +');
  expect(changes('abcd', 'aXbcdY')).toBe('- +XY');
  expect(changes('abcd', 'aBCDd')).toBe('-bc +BCD');
  expect(changes('', 'ab')).toBe('- +ab');
  expect(changes('abcdefghijklm', 'mnopqrst')).toBe('-abcdefghijkl +nopqrst');
  expect(changes('abcdefghijklmnop1', 'qrstuvwxyzABCDEFGHIJ1')).toBe('-abcdefghijklmnop +qrstuvwxyzABCDEFGHIJ');
  expect(changes('ab', 'ba')).toBe('-b +b');
});

type Edit = readonly [at: number, remove: number, insert: number];
const EDIT: fc.Arbitrary<Edit> = fc.tuple(fc.nat(60), fc.nat(24), fc.nat(24));

verifies('fleet.sim', 'an earlier list with its changes made is the later one, in the same order', () => {
  fc.assert(
    fc.property(fc.array(EDIT, { maxLength: 5 }), fc.boolean(), (edits, isTurned) => {
      const earlier = Array.from({ length: 60 }, (_, number) => ({ number }));
      const items = earlier.slice();
      for (const [at, remove, insert] of edits)
        items.splice(at, remove, ...Array.from({ length: insert }, (_, number) => ({ number })));
      if (isTurned) items.reverse();
      const { gone, come } = listChanges(earlier, items);
      const stayed = earlier.filter((item) => !gone.includes(item));
      expect(items.filter((item) => !come.includes(item))).toEqual(stayed);
      expect(items.filter((item) => stayed.includes(item))).toEqual(stayed);
      for (const item of come) expect(items).toContain(item);
      const even = new KeptFilter(({ number }: { number: number }) => number % 2 === 0);
      even.of(earlier);
      expect(even.of(items)).toEqual(items.filter(({ number }) => number % 2 === 0));
    }),
    { numRuns: mass(200, 5_000) },
  );
});

verifies('fleet.sim', 'of ten thousand items only those that differ are read', () => {
  let reads = 0;
  const isOdd = new KeptFilter(({ number }: { number: number }) => {
    reads++;
    return number % 2 === 1;
  });
  const items = Array.from({ length: 10_000 }, (_, number) => ({ number: 2 * number }));
  expect(isOdd.of(items)).toEqual([]);
  expect(reads).toBe(10_000);
  isOdd.of(items.map((item) => (item.number % 1_000 === 0 ? { ...item } : item)));
  expect(reads - 10_000).toBe(2 * 20);
});
