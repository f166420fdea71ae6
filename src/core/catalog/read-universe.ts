import { type CatalogFile, readEntry, refuseField } from '#core/catalog/catalog-file.js';
import { type Universe, universeSchema } from '#core/catalog/entries.js';
import { slugOf } from '#core/catalog/member-slug.js';

/** A pool of names: each with the form of a folder, none twice. */
export function readUniverse(file: CatalogFile): Universe {
  const universe = readEntry(universeSchema, file);
  if (slugOf(universe.name) === undefined) refuseField(file, ['name'], 'use letters, digits and spaces');
  const slugs = new Set<string>();
  for (const [index, name] of universe.names.entries()) {
    const slug = slugOf(name);
    if (slug === undefined) refuseField(file, ['names', index], `“${name}” cannot be a member name`);
    if (slugs.has(slug)) refuseField(file, ['names', index], `“${name}” stands here twice`);
    slugs.add(slug);
  }
  return universe;
}
