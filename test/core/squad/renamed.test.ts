import { expect, test } from 'vitest';
import type { RegistryRecord } from '#core/squad/registry.js';
import { currentSlugs, slugsOf } from '#core/squad/registry.js';

const record = (slug: string, succeededBy?: string): RegistryRecord => ({
  ...{ name: slug, slug, rev: 1, memberId: slug, status: 'Active' },
  ...(succeededBy === undefined ? {} : { succeededBy }),
});

test('names lead to the present one, also where events of others lead in a circle or nowhere', () => {
  const before = currentSlugs([record('a', 'B'), record('b', 'C c'), record('c-c'), record('d'), record('e', '../x')]);
  expect([...before]).toEqual([
    ['a', 'c-c'],
    ['b', 'c-c'],
  ]);
  expect(slugsOf(before, 'a')).toEqual(['c-c', 'a', 'b']);
  expect(slugsOf(before, 'c-c')).toEqual(['c-c', 'a', 'b']);
  expect(slugsOf(before, 'd')).toEqual(['d']);
  const round = currentSlugs([record('a', 'b'), record('b', 'a'), record('c', 'c')]);
  expect([...round]).toEqual([
    ['a', 'b'],
    ['b', 'a'],
  ]);
  expect(slugsOf(round, 'a')).toEqual(['b', 'a']);
});
