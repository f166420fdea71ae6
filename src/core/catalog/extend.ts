import type { Catalog, OfProject } from '#core/catalog/catalog.js';
import { type CatalogFile, readEntry, refuseField } from '#core/catalog/catalog-file.js';
import { folderSlug } from '#core/catalog/member-slug.js';
import { TroupeError } from '#kernel/errors.js';
import { type Archetype, archetypeSchema, groupingSchema } from './catalog.js';
import { readUniverse } from './catalog-file.js';

/** Catalog files of a project, parsed into data; an unreadable file is represented by its error. */
export interface CatalogAdditions {
  readonly archetypes: readonly Read[];
  readonly groupings: readonly Read[];
  readonly universes: readonly Read[];
  /** Charter templates by archetype id. */
  readonly charters: readonly { readonly name: string; readonly id: string }[];
}
type Read = CatalogFile | TroupeError;

interface ExtendedCatalog {
  readonly catalog: Catalog;
  /** All problems in the project's files, in file order. */
  readonly problems: readonly TroupeError[];
}

/**
 * Returns the shipped catalog with the project's entries appended. An invalid entry, or one with the id of a shipped
 * entry, is omitted and reported as a problem; groupings may refer to entries of both.
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
