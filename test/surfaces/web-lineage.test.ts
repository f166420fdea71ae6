import { expect } from 'vitest';
import { rootsOf } from '../../web/app/pages/agency/Lineage.js';
import { verifies } from '../verifies.js';

const one = (id: string, ...parent_ids: string[]) => ({ id, parent_ids }) as never;

function rootIds(...ancestors: never[]): readonly string[] {
  const rows = ancestors as { id: string; parent_ids: string[] }[];
  const children = new Map<string, never[]>();
  for (const row of rows)
    for (const parent of row.parent_ids) children.set(parent, [...(children.get(parent) ?? []), row as never]);
  return rootsOf(ancestors, children).map(({ id }) => id);
}

verifies(
  'ui.web.look',
  'each family of roles is drawn once, also where files name each other or a parent is gone',
  () => {
    expect(rootIds(one('a'), one('b', 'a'), one('alone'))).toEqual(['a']);
    expect(rootIds(one('b', 'gone'), one('c', 'b')), 'a parent that is not listed').toEqual(['b']);
    expect(rootIds(one('x', 'y'), one('y', 'x'), one('z', 'y')), 'a cycle').toEqual(['x']);
    expect(rootIds(one('a'), one('x', 'y'), one('y', 'x'), one('b', 'a'))).toEqual(['a', 'x']);
  },
);
