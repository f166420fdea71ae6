import { expect, test } from 'vitest';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { listIn, objectIn } from '#kernel/question.js';
import { processorMs } from '../processor-time.js';

const object = (text: string) => objectIn(text, (value) => value);

test('the first value that closes and parses is found in prose; quotes and escapes hide brackets', () => {
  expect(object('Sure! {"a": "}{\\"", "b": [1, {"c": "]"}]} and {"d": 1}')).toEqual({ a: '}{"', b: [1, { c: ']' }] });
  expect(object('I use { braces } like {this}, then {"a": 1}')).toEqual({ a: 1 });
  expect(listIn('see [1, and [2]', (values) => values)).toEqual([2]);
});

test('what is not wanted is passed over, also for what stands inside of it', () => {
  const withRoles = (value: unknown) => ((value as { roles?: unknown }).roles === undefined ? undefined : value);
  expect(objectIn('{"a":1} {"result": {"roles": []}}', withRoles)).toEqual({ roles: [] });
});

test('cut off, wrongly nested, deep or made to harm: nothing', () => {
  for (const bad of ['', 'none', '{"a": 1', '{"a": [1}', '{"a": "b}', '{a: 1}', '{"__proto__": 1}'])
    expect(object(bad)).toBeUndefined();
  expect(object('['.repeat(100_000))).toBeUndefined();
  expect(
    object(`{"a":${'['.repeat(WORK_LIMITS.jsonDepth + 1)}${']'.repeat(WORK_LIMITS.jsonDepth + 1)}}`),
  ).toBeUndefined();
});

test('a text made to cost is given up', () => {
  const reading = () => {
    expect(object('{"'.repeat(130_000))).toBeUndefined();
    expect(object('{ "a" '.repeat(60_000))).toBeUndefined();
  };
  expect(processorMs(reading)).toBeLessThan(5_000);
});
