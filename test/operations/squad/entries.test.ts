import { expect, test } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { lint, show } from '#operations/squad/entries.js';
import type { CatalogSource } from '#ports/catalog-source.js';
import { smallCatalog } from '../../core/casting/small-catalog.js';
import { world } from '../../e2e/world.js';

const small = smallCatalog();
/** A name of which no id can be made. */
const ODD = { name: '¿?', names: ['Neo'] } as unknown as (typeof small.universes)[number];
const grouping = [...small.groupings.values()][0] as NonNullable<ReturnType<typeof small.groupings.get>>;
const catalog = {
  ...small,
  groupings: new Map([...small.groupings, ['other', { ...grouping, id: 'other' }]]),
  universes: [...small.universes, ODD],
  workflows: new Set(['one', 'two']),
};
const wrong = new TroupeError('catalog_invalid', { what: 'Odd.', details: { file: 'a.yaml', line: 3 } });
const source = (problems: TroupeError[] = []) =>
  ({
    load: async () => catalog,
    workflow: async (id: string) => ({ id, nodes: [] }),
    lint: async () => ({ files: 2, problems }),
  }) as unknown as CatalogSource;
const context = (problems?: TroupeError[]) => ({ ...world().context, catalog: async () => source(problems) });
const shown = async (kind: 'archetypes' | 'groupings' | 'universes' | 'workflows', id?: string) =>
  (await show.run(context(), { kind, ...(id === undefined ? {} : { id }) })).entries;
const ids = (entries: readonly { id: string }[]) => entries.map(({ id }) => id);

test('all entries of a kind in its order, or the one with an id, as it is', async () => {
  expect(await shown('archetypes')).toEqual(catalog.menu);
  expect(await shown('groupings')).toEqual([...catalog.groupings.values()]);
  expect(ids(await shown('workflows'))).toEqual(['one', 'two']);
  const universes = await shown('universes');
  expect(universes.map((universe) => ('name' in universe ? universe.name : ''))).toEqual(
    catalog.universes.map(({ name }) => name),
  );
  for (const kind of ['archetypes', 'groupings', 'universes', 'workflows'] as const) {
    const every = ids(await shown(kind));
    expect(every.length, kind).toBeGreaterThan(1);
    for (const id of every) expect(ids(await shown(kind, id)), kind).toEqual([id]);
  }
  expect(universes.at(-1)).toEqual({ id: ODD.name, ...ODD });
});

test('an id that there is not is told with what was probably meant', async () => {
  const [first = ''] = ids(await shown('archetypes'));
  await expect(shown('archetypes', `${first}s`)).rejects.toMatchObject({
    code: 'not_found',
    hint: `Did you mean ${first}?`,
  });
  await expect(shown('workflows', 'zzzzzz')).rejects.toMatchObject({
    ...{ message: 'The catalog has no "zzzzzz" in workflows.', hint: 'Run `troupe catalog show workflows`.' },
  });
});

test('all that is wrong with what a project adds', async () => {
  expect(await lint.run(context(), {})).toEqual({ ok: true, files: 2, problems: [] });
  expect(await lint.run(context([wrong, new TroupeError('unreadable', { what: 'No.' })]), {})).toEqual({
    ...{ ok: false, files: 2 },
    problems: [
      { code: 'catalog_invalid', message: 'Odd.', file: 'a.yaml', line: 3 },
      { code: 'unreadable', message: 'No.', file: null, line: null },
    ],
  });
});
