import type { Catalog, OfProject } from '#core/catalog/catalog.js';
import { type CatalogFile, readEntry, refuseField } from '#core/catalog/catalog-file.js';
import { folderSlug } from '#core/catalog/member-slug.js';
import { TroupeError } from '#kernel/errors.js';
import { type Archetype, archetypeSchema, groupingSchema } from './catalog.js';
import { readUniverse } from './catalog-file.js';

/** What a project adds, already read as data; a file that could not be read is the error that says so. */
export interface CatalogAdditions {
  readonly archetypes: readonly Read[];
  readonly groupings: readonly Read[];
  readonly universes: readonly Read[];
  /** Charter templates by the id they are for. */
  readonly charters: readonly { readonly name: string; readonly id: string }[];
}
type Read = CatalogFile | TroupeError;

interface ExtendedCatalog {
  readonly catalog: Catalog;
  /** Everything wrong with the project's files, in the order of the files. */
  readonly problems: readonly TroupeError[];
}

/**
 * The shipped catalog with the entries of a project behind its own. An entry that is not valid, or has the id of a shipped
 * one, is left out and named among the problems; groupings may name entries of both.
 */
export function extendCatalog(shipped: Catalog, files: CatalogAdditions): ExtendedCatalog {
  const problems: TroupeError[] = [];
  const taking = <Entry>(read: readonly Read[], take: (file: CatalogFile) => Entry): Entry[] =>
    read.flatMap((file) => {
      try {
        if (file instanceof TroupeError) throw file;
        return [take(file)];
      } catch (error) {
        if (!(error instanceof TroupeError)) throw error;
        problems.push(error);
        return [];
      }
    });
  const archetypes = new Map<string, OfProject<Archetype>>(shipped.archetypes);
  const added = taking(files.archetypes, (file) => {
    const archetype = readEntry(archetypeSchema, file);
    refuseId(file, archetype.id, archetypes.has(archetype.id));
    if (archetype.kind !== 'cast') refuseField(file, ['kind'], 'only shipped archetypes are built in');
    const entry = { ...archetype, source: 'project' as const };
    archetypes.set(entry.id, entry);
    return entry;
  });
  const menu = [...shipped.menu, ...added];
  const castable = new Set(menu.map((archetype) => archetype.id));
  const groupings = new Map(shipped.groupings);
  taking(files.groupings, (file) => {
    const grouping = readEntry(groupingSchema, file);
    refuseId(file, grouping.id, groupings.has(grouping.id));
    for (const [index, id] of grouping.archetypes.entries()) {
      if (!castable.has(id)) refuseField(file, ['archetypes', index], `“${id}” cannot be cast`);
    }
    groupings.set(grouping.id, { ...grouping, source: 'project' });
  });
  const universes = [...shipped.universes];
  taking(files.universes, (file) => {
    const universe = readUniverse(file);
    const slug = folderSlug(universe.name);
    if (slug === 'descriptive') refuseField(file, ['name'], '“descriptive” is a naming scheme, not a universe');
    if (universes.some((universe) => folderSlug(universe.name) === slug))
      refuseField(file, ['name'], `the universe “${universe.name}” already exists`);
    universes.push({ ...universe, source: 'project' });
  });
  for (const { name, id } of files.charters) {
    if (archetypes.get(id)?.source === 'project') continue;
    const why = archetypes.has(id) ? `“${id}” is shipped and has its charter` : `there is no archetype “${id}”`;
    problems.push(new TroupeError('catalog_invalid', { what: `${name}: ${why}`, details: { file: name, field: '' } }));
  }
  return { catalog: { ...shipped, archetypes, menu, groupings, universes }, problems };
}

function refuseId(file: CatalogFile, id: string, exists: boolean): void {
  if (exists) refuseField(file, ['id'], `“${id}” already exists: an entry cannot replace another`);
  const stem = file.name.slice(file.name.lastIndexOf('/') + 1).replace(/\.yaml$/, '');
  if (stem !== id) refuseField(file, ['id'], `“${id}” is not the name of the file`);
}
