import { expect, test } from 'vitest';
import type { Entry } from '#core/graph/event.js';
import type { GraphNode } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { isOneLine } from '#core/history/log-history.js';
import { mergedCounters, mergeNode } from '#core/history/merge-node.js';

const entry = (seq: number, id: string, prev?: string) =>
  ({ seq, id, op: 'add', timestamp: '', patch: [], ...(prev === undefined ? {} : { prev }) }) as unknown as Entry;

test('entries are one line when each follows the one above it, by its word or, without one, by its number', () => {
  expect(isOneLine([entry(1, 'a'), entry(2, 'b'), entry(3, 'c', 'b')], undefined)).toBe(true);
  expect(isOneLine([entry(1, 'a'), entry(3, 'b')], undefined)).toBe(false);
  expect(isOneLine([entry(1, 'a'), entry(3, 'b', 'a')], undefined)).toBe(true);
  expect(isOneLine([entry(1, 'a'), entry(2, 'b', 'x')], undefined)).toBe(false);
  expect(isOneLine([entry(2, 'b'), entry(2, 'c')], undefined)).toBe(false);
  expect(isOneLine([entry(5, 'e', 'd')], { seq: 4, id: 'd' })).toBe(true);
});

test('of counters the larger counts; where one side has none, there is nothing to merge', () => {
  expect(mergedCounters({ a: 1, b: 5 }, { a: 3, c: 2 })).toEqual({ a: 3, b: 5, c: 2 });
  expect(mergedCounters(undefined, { a: 1 })).toBeUndefined();
  expect(mergedCounters({ a: 1 }, [])).toBeUndefined();
});

test('counters that are none are taken from the side that has them, ours first', () => {
  const node = (usage: unknown) =>
    ({ kind: 'task', id: 'a', title: 'a', status: 'open', token_usage: usage }) as unknown as GraphNode;
  const never = { ours: () => 0, theirs: () => 0 };
  const merged = (ours: unknown, theirs: unknown) =>
    fieldsOf(mergeNode({ base: undefined, ours: node(ours), theirs: node(theirs) }, never).node)['token_usage'];
  expect([merged('x', 'y'), merged(undefined, 'y'), merged('x', undefined)]).toEqual(['x', 'y', 'x']);
});
