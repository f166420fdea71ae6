import { expect, test } from 'vitest';
import { assembleCatalog, type CatalogFiles } from '#core/catalog/assemble.js';
import { castable } from '#core/catalog/catalog.js';
import { SIGNAL_IDS } from '#core/catalog/signal-vocabulary.js';
import { verifies } from '../../verifies.js';
import { ARCHETYPES, POOLS, smallCatalog, smallFiles } from '../casting/small-catalog.js';

const [first] = ARCHETYPES;

function refused(change: Partial<CatalogFiles>) {
  try {
    assembleCatalog({ ...smallFiles(), ...change });
  } catch (error) {
    return error;
  }
  throw new Error('the catalog was accepted');
}

const replaceArchetype = (value: unknown, name = `archetypes/${first?.id}.yaml`) => ({
  archetypes: [{ name, value, lineOf: () => 7 }, ...smallFiles().archetypes.slice(1)],
});

verifies('catalog.schema', 'an unknown, missing or wrong field is refused with file, line and field', () => {
  const wrong: [unknown, string][] = [
    [{ ...first, colour: 'red' }, 'colour'],
    [{ ...first, title: undefined }, 'title'],
    [{ ...first, leads: 'yes' }, 'leads'],
    [{ ...first, default_model: 'huge' }, 'default_model'],
    [{ ...first, capabilities: ['a', 3] }, 'capabilities.1'],
    ['just text', ''],
  ];
  for (const [value, field] of wrong) {
    const error = refused(replaceArchetype(value));
    expect(error).toMatchObject({
      code: 'catalog_invalid',
      details: { file: 'archetypes/lead-architect.yaml', line: 7 },
    });
    expect(String(error)).toContain(field);
  }
});

verifies('catalog.schema', 'an id must be the name of its file and every reference must lead somewhere', () => {
  const [rules, manifest] = [smallFiles().signalRules, smallFiles().manifest];
  const grouping = (archetypes: string[]) => ({
    groupings: [{ name: 'groupings/pair.yaml', value: { id: 'pair', title: 'P', description: 'D', archetypes } }],
  });
  const cases: [Partial<CatalogFiles>, RegExp][] = [
    [replaceArchetype({ ...first, id: 'other' }), /not the name of the file/],
    [grouping(['nobody']), /pair.yaml: archetypes.0: “nobody” cannot be cast/],
    [grouping(['scribe']), /“scribe” cannot be cast/],
    [
      { builtins: { name: 'builtins.yaml', value: [{ name: 'Scribe', archetype: 'writer' }] } },
      /not a built-in archetype/,
    ],
    [{ builtins: { name: 'builtins.yaml', value: [{ name: 'Scribe', archetype: 'scribe' }] } }, /has no name/],
    [
      { signalRules: { ...rules, value: { rules: [{ signal: 'moon', archetype: 'writer', reason: 'r' }] } } },
      /unknown signal “moon”/,
    ],
    [
      { signalRules: { ...rules, value: { rules: [{ signal: 'content.code', archetype: 'scribe', reason: 'r' }] } } },
      /cannot be cast/,
    ],
    [
      { manifest: { ...manifest, value: { ...(manifest.value as object), archetypes: ['ghost'] } } },
      /no file for “ghost”/,
    ],
    [
      { archetypes: [...smallFiles().archetypes, { name: 'archetypes/extra.yaml', value: { ...first, id: 'extra' } }] },
      /does not name it/,
    ],
    [
      { universes: [{ name: 'universes/the-matrix.yaml', value: { name: 'The Matrix', names: ['Neo', 'NEO'] } }] },
      /appears twice/,
    ],
    [{ universes: smallFiles().universes.slice(1) }, /no file for “the-matrix”/],
  ];
  for (const [change, message] of cases) expect(String(refused(change))).toMatch(message);
});

verifies(
  'catalog.menu',
  'the menu holds every castable archetype in the order of the manifest, built-in ones never',
  () => {
    const catalog = smallCatalog();
    expect(catalog.menu.map((archetype) => archetype.id)).toEqual(
      ARCHETYPES.filter((one) => one.kind === 'cast').map((one) => one.id),
    );
    expect(castable(catalog, 'scribe')).toBeUndefined();
    expect(castable(catalog, 'constructor')).toBeUndefined();
    expect(castable(catalog, 'writer')?.title).toBe('Writer');
  },
);

test('universes keep the order of the manifest, because the seed counts on it', () => {
  expect(smallCatalog().universes.map((universe) => universe.name)).toEqual(POOLS.map((pool) => pool.name));
});

test('the vocabulary of signals is closed and has both sides of every question', () => {
  for (const id of [
    'content.code',
    'language.cpp',
    'framework.nextjs',
    'tests.present',
    'docs.absent',
    'ci.absent',
    'size.large',
  ]) {
    expect(SIGNAL_IDS.has(id)).toBe(true);
  }
  expect(SIGNAL_IDS.has('language.cobol')).toBe(false);
});

test('a universe stands in the catalog once, whatever the case of its name', () => {
  const [pool] = smallFiles().universes;
  const twin = {
    ...pool,
    name: 'universes/twin.yaml',
    value: { ...POOLS[0], name: (POOLS[0]?.name ?? '').toUpperCase() },
  };
  expect(refused({ universes: [...smallFiles().universes, twin as never] })).toMatchObject({
    message: expect.stringContaining('exists twice'),
  });
});

verifies('catalog.schema', 'each refusal names the file and the field in it', () => {
  const files = smallFiles();
  const said = (change: Partial<CatalogFiles>) => (refused(change) as Error).message;
  const manifest = (more: object) => ({
    manifest: { ...files.manifest, value: { ...(files.manifest.value as object), ...more } },
  });
  const named = (name: string, value: unknown) => ({ name, value });
  const rule = { signal: 'content.code', archetype: 'writer', reason: 'r' };
  const rules = (more: object) => ({
    signalRules: named('signal-rules.yaml', { rules: [rule, { ...rule, ...more }] }),
  });
  const kind = {
    ...{ id: 'docs', title: 'Docs', verbs: [], making: [], signs: [], things: [], extra_to: [] },
    ...{ beside: [ARCHETYPES.find(({ id }) => id === 'writer')?.domain], team: ['writer'] },
  };
  const kinds = (more: object) => ({
    workKinds: named('work-kinds.yaml', { kinds: [kind, { ...kind, id: 'more', ...more }] }),
  });
  const goals = (...lines: string[]) => ({
    ...{ workKinds: named('work-kinds.yaml', { kinds: [kind] }) },
    goalExamples: named('goal-examples.txt', ['# goals', '', 'docs, docs | Write it', ...lines]),
  });
  const builtins = (more: object) => ({
    builtins: { ...files.builtins, value: [...(files.builtins.value as object[]), more] },
  });
  const ids = ARCHETYPES.map(({ id }) => id);
  const pools = files.universes.map(({ name }) => name.replace(/^universes\/|\.yaml$/g, ''));
  const pair = { id: 'pair', title: 'Pair', description: 'Two.', archetypes: ['writer', 'ghost'] };
  expect([
    said(builtins({ name: 'Extra', archetype: 'writer' })),
    said(builtins({ name: '///', archetype: 'scribe' })),
    said(rules({ signal: 'moon' })),
    said(rules({ archetype: 'scribe' })),
    said(kinds({ team: ['writer', 'ghost'] })),
    said(kinds({ beside: ['ghosts'] })),
    said(goals('ghosts | Haunt')),
    said(goals('docs Write')),
    said(goals('docs | ')),
    said(manifest({ archetypes: [...ids, 'ghost'] })),
    said(manifest({ archetypes: [...ids, 'writer'] })),
    said(manifest({ universes: [...pools, 'ghosts'] })),
    said(manifest({ universes: pools.slice(1) })),
    said({ groupings: [named('groupings/pair.yaml', pair)] }),
  ]).toEqual([
    'builtins.yaml: 4.archetype: “writer” is not a built-in archetype',
    'builtins.yaml: 4.name: not a member name',
    'signal-rules.yaml: rules.1.signal: unknown signal “moon”',
    'signal-rules.yaml: rules.1.archetype: “scribe” cannot be cast',
    'work-kinds.yaml: kinds.1.team: “ghost” cannot be cast',
    'work-kinds.yaml: kinds.1.beside: nobody is of the domain “ghosts”',
    'goal-examples.txt: 3: there is no kind of work “ghosts”',
    'goal-examples.txt: 3: must be `kind, kind | goal`',
    'goal-examples.txt: 3: must be `kind, kind | goal`',
    `manifest.yaml: archetypes.${ids.length}: there is no file for “ghost”`,
    `manifest.yaml: archetypes.${ids.length}: “writer” appears twice`,
    `manifest.yaml: universes.${pools.length}: there is no file for “ghosts”`,
    `${files.universes[0]?.name}: the manifest does not name it`,
    'groupings/pair.yaml: archetypes.1: “ghost” cannot be cast',
  ]);
  expect(assembleCatalog({ ...files, ...goals('docs|Tell') }).goalExamples).toEqual([
    { goal: 'Write it', kinds: ['docs', 'docs'] },
    { goal: 'Tell', kinds: ['docs'] },
  ]);
});
