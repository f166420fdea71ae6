import { expect, test } from 'vitest';
import type { TraceFunction } from '#core/workflows/function.js';
import { checkedValues } from '#core/workflows/function-values.js';

const ASKED: Pick<TraceFunction, 'id' | 'inputs'> = {
  id: 'f',
  inputs: [{ name: 'n', type: 'number', min: 1, max: 9 }],
};

test('the smallest and the largest number of an input are allowed themselves', () => {
  const read = (n: number) => checkedValues(ASKED as TraceFunction, { n }, new Map()).get('n');
  expect([read(1), read(9)]).toEqual(['1', '9']);
  expect(() => read(0)).toThrowError('must be at least 1');
  expect(() => read(10)).toThrowError('must be at most 9');
});
