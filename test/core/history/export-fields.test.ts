import { expect } from 'vitest';
import {
  numberReader,
  numbers,
  oneOfReader,
  type Sieve,
  scalarReader,
  statusReader,
  time,
} from '#core/history/export-fields.js';
import { verifies } from '../../verifies.js';

const SIEVE: Sieve = { includes: () => true, clean: (text) => text, mentions: () => true };

verifies('graph.trace.export', 'a value of another type than that of its field is left out', () => {
  const read = (reader: typeof numbers, ...values: readonly unknown[]) => values.map((value) => reader(value, SIEVE));
  expect(read(numbers, { a: 1, b_2: 0.5, 'B c': 2, d: '3' }, {}, null, 'ab', [1], 7)).toEqual([
    { a: 1, b_2: 0.5 },
    ...Array.from({ length: 5 }),
  ]);
  expect(read(numberReader, 1, 0, Number.NaN, '1', null)).toEqual([1, 0, undefined, undefined, undefined]);
  expect(read(scalarReader, 'text', 2, false, null, {})).toEqual(['text', 2, false, undefined, undefined]);
  expect(read(time, '2026-03-01', 'never', 5)).toEqual(['2026-03-01T00:00:00.000Z', undefined, undefined]);
  expect(read(statusReader, 'open', 'opened', 1)).toEqual(['open', undefined, undefined]);
  expect(read(oneOfReader('a', 'b'), 'b', 'c', undefined)).toEqual(['b', undefined, undefined]);
});
