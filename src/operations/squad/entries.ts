import * as z from 'zod/mini';
import { folderSlug } from '#core/catalog/member-slug.js';
import { TroupeError } from '#kernel/errors.js';
import { cut, didYouMean, inert } from '#kernel/text.js';
import type { TeamContext } from '#operations/contexts.js';
import { argument } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { catalogAddresses } from '#operations/resource-paths.js';
import type { CatalogSource } from '#ports/catalog-source.js';

const KINDS = ['archetypes', 'groupings', 'universes', 'workflows'] as const;
type Kind = (typeof KINDS)[number];

/** Returns catalog entries in full: all of a kind in catalog order, or a single one by id. */
export const show = operation({
  name: 'catalog.show',
  command: 'catalog show',
  group: 'Casting',
  kind: 'read',
  where: 'caller',
  summary: 'Show entries of the catalog in full',
  examples: ['troupe catalog show archetypes writer', 'troupe catalog show groupings --json'],
  resource: [
    ...catalogAddresses('archetypes'),
    ...catalogAddresses('groupings'),
    ...catalogAddresses('universes'),
    ...catalogAddresses('workflows'),
  ],
  input: z.strictObject({
    kind: argument('archetypes, groupings, universes or workflows', z.enum(KINDS)),
    id: argument('Only this entry', z.optional(z.string())),
  }),
  output: z.object({ kind: z.enum(KINDS), entries: z.array(z.looseObject({ id: z.string() })) }),
  async run(context: TeamContext, { kind, id }) {
    const source = await context.catalog();
    const ids = await idsOf(source, kind);
    if (id !== undefined && !ids.includes(id)) {
      const suggestion = didYouMean(id, ids);
      throw new TroupeError('not_found', {
        what: `The catalog has no ${JSON.stringify(cut(inert(id), 60))} in ${kind}.`,
        hint: suggestion === undefined ? `Run \`troupe catalog show ${kind}\`.` : `Did you mean ${suggestion}?`,
      });
    }
    return { kind, entries: await entriesOf(source, kind, id === undefined ? ids : [id]) };
  },
});

async function idsOf(source: CatalogSource, kind: Kind): Promise<string[]> {
  const catalog = await source.load();
  if (kind === 'archetypes') return catalog.menu.map((archetype) => archetype.id);
  if (kind === 'groupings') return [...catalog.groupings.keys()];
  if (kind === 'universes') return catalog.universes.map((universe) => folderSlug(universe.name) ?? universe.name);
  return [...catalog.workflows];
}

async function entriesOf(source: CatalogSource, kind: Kind, ids: readonly string[]): Promise<Entry[]> {
  const catalog = await source.load();
  const requested = new Set(ids);
  if (kind === 'archetypes') return catalog.menu.filter((archetype) => requested.has(archetype.id));
  if (kind === 'groupings') return [...catalog.groupings.values()].filter((grouping) => requested.has(grouping.id));
  if (kind === 'universes')
    return catalog.universes
      .map((universe) => ({ id: folderSlug(universe.name) ?? universe.name, ...universe }))
      .filter((universe) => requested.has(universe.id));
  return await Promise.all(ids.map(async (id) => await source.workflow(id)));
}

type Entry = { id: string };

/** Validates all entries that the project adds, and returns every problem. */
export const lint = operation({
  name: 'catalog.lint',
  command: 'catalog lint',
  group: 'Casting',
  kind: 'read',
  where: 'caller',
  summary: 'Check the catalog entries of this project',
  examples: ['troupe catalog lint', 'troupe catalog lint --json'],
  input: z.strictObject({}),
  output: z.object({
    ok: z.boolean(),
    files: z.number(),
    problems: z.array(
      z.object({ code: z.string(), message: z.string(), file: z.nullable(z.string()), line: z.nullable(z.number()) }),
    ),
  }),
  async run(context: TeamContext) {
    const { files, problems } = await (await context.catalog()).lint();
    return {
      ok: problems.length === 0,
      files,
      problems: problems.map(({ code, message, details }) => ({
        code,
        message,
        file: typeof details['file'] === 'string' ? details['file'] : null,
        line: typeof details['line'] === 'number' ? details['line'] : null,
      })),
    };
  },
});
