import { expect, test } from 'vitest';
import { checkBlueprint } from '#core/catalog/blueprint-check.js';
import { extendCatalog } from '#core/catalog/extend.js';
import { TroupeError } from '#kernel/errors.js';
import { ARCHETYPES, POOLS, smallCatalog } from '../casting/small-catalog.js';

const shipped = smallCatalog();
const file = (name: string, value: unknown) => ({ name, value, lineOf: () => undefined });
const [first] = ARCHETYPES;
const keeper = { ...first, id: 'keeper', title: 'Keeper' };
const universe = (name: string) => ({ ...POOLS[0], name });
const NONE = { archetypes: [], groupings: [], universes: [], charters: [] };
const extended = (more: Partial<Parameters<typeof extendCatalog>[1]>) => {
  const { catalog, problems } = extendCatalog(shipped, { ...NONE, ...more });
  return { catalog, problems: problems.map(({ message }) => message) };
};

test('entries of a project stand behind those that are shipped', () => {
  const { catalog, problems } = extended({
    archetypes: [file('a/keeper.yaml', keeper)],
    groupings: [file('g/bees.yaml', { id: 'bees', title: 'B', description: 'D', archetypes: ['keeper', first?.id] })],
    charters: [{ name: 'c/keeper.md', id: 'keeper' }],
  });
  expect(problems).toEqual([]);
  expect(catalog.archetypes.get('keeper')).toMatchObject({ title: 'Keeper', source: 'project' });
  expect(catalog.menu.map(({ id }) => id)).toEqual([...shipped.menu.map(({ id }) => id), 'keeper']);
  expect([...catalog.groupings.keys()].at(-1)).toBe('bees');
  expect(catalog.groupings.get('bees')).toMatchObject({ source: 'project' });
  expect([shipped.archetypes.has('keeper'), extendCatalog(shipped, NONE).catalog.universes]).toEqual([
    false,
    shipped.universes,
  ]);
});

test('what is not valid, or is there already, is left out and named', () => {
  const { catalog, problems } = extended({
    archetypes: [
      new TroupeError('catalog_invalid', { what: 'unread' }),
      file('a/other.yaml', keeper),
      file(`a/${first?.id}.yaml`, first),
      file('a/scribe2.yaml', { ...keeper, id: 'scribe2', kind: 'builtin' }),
      file('a/keeper.yaml', keeper),
      file('b/keeper.yaml', keeper),
    ],
    groupings: [file('g/bees.yaml', { id: 'bees', title: 'B', description: 'D', archetypes: ['nobody'] })],
    universes: [file('u/x.yaml', {})],
    charters: [
      { name: `c/${first?.id}.md`, id: first?.id ?? '' },
      { name: 'c/nobody.md', id: 'nobody' },
    ],
  });
  expect(problems[0]).toBe('unread');
  expect(problems.slice(1)).toEqual([
    expect.stringContaining('“keeper” is not the name of the file'),
    expect.stringContaining(`“${first?.id}” already exists`),
    expect.stringMatching(/only shipped archetypes are built in|kind/),
    expect.stringContaining('“keeper” already exists'),
    expect.stringContaining('“nobody” cannot be cast'),
    expect.any(String),
    `c/${first?.id}.md: “${first?.id}” is shipped and has its charter`,
    'c/nobody.md: there is no archetype “nobody”',
  ]);
  expect([catalog.archetypes.has('keeper'), catalog.groupings.has('bees')]).toEqual([true, false]);
  expect(catalog.universes).toEqual(shipped.universes);
  expect(() => extendCatalog(shipped, { ...NONE, archetypes: [undefined as never] })).toThrow(TypeError);
});

test('a universe has a name of its own', () => {
  const [taken] = shipped.universes;
  const { problems, catalog } = extended({
    universes: [
      file('u/a.yaml', universe('Descriptive')),
      file('u/b.yaml', universe((taken?.name ?? '').toUpperCase())),
      file('u/c.yaml', universe('Hive')),
      file('u/d.yaml', universe('hive')),
    ],
  });
  expect(problems.map((problem) => problem.replace(/^.*?: name: /, ''))).toEqual([
    '“descriptive” is a naming scheme, not a universe',
    `the universe “${(taken?.name ?? '').toUpperCase()}” already exists`,
    'the universe “hive” already exists',
  ]);
  expect(catalog.universes.at(-1)).toMatchObject({ name: 'Hive', source: 'project' });
});

const VOCABULARY = {
  ...{ catalog: shipped, workflows: new Set(['build']), policies: new Set(['strict']), profiles: new Set(['closed']) },
  reserved: new Set(['shipped']),
};
const BLUEPRINT = {
  ...{ id: 'b', name: 'B', description: 'D', roster: [first?.id], workflows: ['build'], review_policy: 'strict' },
  sandbox_profile: 'closed',
};
const errors = (more: object) => checkBlueprint({ ...BLUEPRINT, ...more }, VOCABULARY).errors;
const BEE = { id: 'bee', title: 'Bee', charter: 'Hum.' };

test('everything that is wrong with a blueprint is told at once', () => {
  expect(checkBlueprint(BLUEPRINT, VOCABULARY)).toMatchObject({ valid: true, errors: [], blueprint: { name: 'B' } });
  const { workflows: _, ...rest } = BLUEPRINT;
  expect(checkBlueprint({ ...rest, workflow: 'build' }, VOCABULARY)).toMatchObject({
    blueprint: { workflows: ['build'] },
  });
  expect(checkBlueprint({ ...BLUEPRINT, name: 7 }, VOCABULARY)).toMatchObject({
    valid: false,
    errors: [expect.stringMatching(/^name: /)],
  });
  expect(checkBlueprint('words', VOCABULARY).valid).toBe(false);
  expect(errors({ name: ' ', description: ' ', workflows: [], roster: [] })).toEqual([
    ...['name: must not be empty', 'description: must not be empty', 'workflows: name one at least'],
    'roster: name one archetype at least',
  ]);
  expect(errors({ workflows: ['build', 'gone'], review_policy: 'x', sandbox_profile: 'y' })).toEqual([
    ...['workflows: there is no workflow “gone”', 'review_policy: there is no policy “x”'],
    'sandbox_profile: there is no profile “y”',
  ]);
  expect(errors({ roster: [first?.id, 'nobody', 'nobody', 'scribe'] })).toEqual([
    'roster: “nobody” can be cast neither from the catalog nor from bespoke_roles',
    'roster: “scribe” can be cast neither from the catalog nor from bespoke_roles',
  ]);
  expect(errors({ roster: [first?.id, 'bee'], bespoke_roles: [BEE] })).toEqual([]);
  expect(
    errors({
      roster: ['bee', first?.id],
      bespoke_roles: [{ ...BEE, charter: ' ' }, BEE, { ...BEE, id: 'wasp' }, { ...BEE, id: first?.id }],
    }),
  ).toEqual([
    'bespoke_roles.0.charter: must not be empty',
    'bespoke_roles.1.id: “bee” appears twice',
    'bespoke_roles.2.id: “wasp” is not on the roster',
    `bespoke_roles.3.id: the catalog has a “${first?.id}”`,
  ]);
});
