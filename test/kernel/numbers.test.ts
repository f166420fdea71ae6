import { expect, test } from 'vitest';
import { countUp, numberAt, numberOf } from '#kernel/numbers.js';

test('what is not there counts as nothing', () => {
  const counts = new Map([['a', 2]]);
  countUp(counts, 'a');
  countUp(counts, 'b');
  expect([...counts]).toEqual([
    ['a', 3],
    ['b', 1],
  ]);
  expect([numberOf(counts, 'a'), numberOf(counts, 'c'), numberAt([7], 0), numberAt([7], 1)]).toEqual([3, 0, 7, 0]);
});
