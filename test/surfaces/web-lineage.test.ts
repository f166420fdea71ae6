import { expect } from 'vitest';
import { rootsOf } from '../../web/app/pages/scores/families.js';
import { verifies } from '../verifies.js';

const one = (id: string, ...parent_ids: string[]) => ({ id, parent_ids });

function rootIds(...ancestors: ReturnType<typeof one>[]): readonly string[] {
  const children = new Map<string, typeof ancestors>();
  for (const row of ancestors)
    for (const parent of row.parent_ids) children.set(parent, [...(children.get(parent) ?? []), row]);
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
