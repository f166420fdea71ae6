import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocateNames, describeNames, ReservedNames } from '#core/casting/names.js';
import { folderSlug, memberSlug } from '#core/catalog/member-slug.js';
import { verifies } from '../../verifies.js';
import { POOLS } from './small-catalog.js';

const matrix = POOLS[0]?.names ?? [];
const namesOf = (pool: readonly string[], taken: readonly string[], count: number) =>
  allocateNames(pool, new ReservedNames(taken), count).map((given) => given.name);

verifies('casting.names.order', 'names come in the order of the pool, untaken ones only', () => {
  expect(namesOf(matrix, ['Neo'], 3)).toEqual(['Trinity', 'Morpheus', 'Tank']);
  expect(namesOf(matrix, ['neo'], 3)).toEqual(['Trinity', 'Morpheus', 'Tank']);
  expect(namesOf(['Neo', 'NEO', 'Néo', 'Tank'], [], 2)).toEqual(['Neo', 'Tank']);
});

verifies('casting.names.overflow', 'an exhausted pool gives member-1, member-2, passing over taken ones', () => {
  const inception = POOLS[2]?.names ?? [];
  expect(allocateNames(inception, new ReservedNames(inception), 2)).toEqual([
    { name: 'member-1', source: 'overflow' },
    { name: 'member-2', source: 'overflow' },
  ]);
  expect(namesOf(inception, [...inception, 'MEMBER-1'], 2)).toEqual(['member-2', 'member-3']);
  expect(namesOf(['Cobb'], [], 2)).toEqual(['Cobb', 'member-1']);
});

verifies('casting.names.reserved', 'names are taken by lower case and by slug; user, system and all always are', () => {
  const taken = new ReservedNames(['José Luis']);
  expect([new ReservedNames([' 李 ']).has('李'), new ReservedNames(['李']).has(' 李 ')]).toEqual([true, true]);
  for (const name of ['josé luis', 'JOSE-LUIS', 'jose luis', 'User', 'system', 'ALL'])
    expect(taken.has(name)).toBe(true);
  expect([taken.has('Jose'), new ReservedNames(['李']).has('王')]).toEqual([false, false]);
});

verifies('casting.names.slug', 'a slug is folded and lower; what has none is refused', () => {
  expect(memberSlug('  Padmé Amidala ')).toBe('padme-amidala');
  expect(memberSlug('member-1')).toBe('member-1');
  for (const name of [
    '',
    ' ',
    '../x',
    'a/b',
    '$(id)',
    '-x',
    '_x',
    'a\nb;c',
    'x'.repeat(65),
    'a\u202eb',
    'ねお',
    '.',
    'a.b',
    'a\0',
  ]) {
    expect(() => memberSlug(name)).toThrow(expect.objectContaining({ code: 'name_invalid' }));
  }
});

verifies('casting.names.descriptive', 'descriptive names are the archetype, then numbered', () => {
  const taken = new ReservedNames(['writer-2']);
  expect(describeNames(['writer', 'editor', 'writer', 'writer'], taken)).toEqual([
    'writer',
    'editor',
    'writer-3',
    'writer-4',
  ]);
});

test('whatever the pool and whoever is taken: as many names as wanted, all free, no two alike', () => {
  const name = fc.stringMatching(/^[A-Za-zéÉ][A-Za-zé -]{0,8}$/);
  fc.assert(
    fc.property(
      fc.array(name, { maxLength: 12 }),
      fc.array(name, { maxLength: 12 }),
      fc.integer({ min: 0, max: 15 }),
      (pool, taken, count) => {
        const given = namesOf(pool, taken, count);
        expect(given).toHaveLength(count);
        expect(new Set(given.map((one) => folderSlug(one))).size).toBe(count);
        const before = new ReservedNames(taken);
        expect(given.some((one) => before.has(one))).toBe(false);
      },
    ),
  );
});
