import { TroupeError } from '#kernel/errors.js';
import { explainIssue, type Issue } from '#kernel/issues.js';
import { cut, inert } from '#kernel/text.js';
import { type Universe, universeSchema } from './catalog.js';
import { folderSlug } from './member-slug.js';

/** Catalog file parsed into data. `lineOf` returns the line of a field, if the reader recorded it. */
export interface CatalogFile {
  /** Relative to the catalog folder: `archetypes/writer.yaml`. */
  readonly name: string;
  readonly value: unknown;
  lineOf?(field: readonly PropertyKey[]): number | undefined;
}

/** Minimal part of a zod schema that is needed here; every zod schema satisfies it. */
interface FileSchema<Value> {
  safeParse(value: unknown): { success: true; data: Value } | { success: false; error: { issues: readonly object[] } };
}

/** Validates a file's value against a schema and returns it. Errors: `catalog_invalid`, with file, line and field. */
export function readEntry<Value>(schema: FileSchema<Value>, file: CatalogFile): Value {
  const parsed = schema.safeParse(file.value);
  if (parsed.success) return parsed.data;
  const { field, text } = explainIssue(parsed.error.issues[0] as Issue, file.value);
  refuseField(file, field, text);
}

export function refuseField(file: CatalogFile, field: readonly PropertyKey[], message: string): never {
  const line = file.lineOf?.(field);
  const name = field.map(String).join('.');
  const place = line === undefined ? file.name : `${file.name}:${line}`;
  throw new TroupeError('catalog_invalid', {
    what: `${place}: ${name === '' ? '' : `${cut(inert(name), 120)}: `}${cut(inert(message), 300)}`,
    details: { file: file.name, field: name, ...(line === undefined ? {} : { line }) },
  });
}

/**
 * Validates a pool of names: each name must convert to a folder slug, and slugs must be unique. Errors:
 * `catalog_invalid`.
 */
export function readUniverse(file: CatalogFile): Universe {
  const universe = readEntry(universeSchema, file);
  if (folderSlug(universe.name) === undefined) refuseField(file, ['name'], 'use letters, digits and spaces');
  const slugs = new Set<string>();
  for (const [index, name] of universe.names.entries()) {
    const slug = folderSlug(name);
    if (slug === undefined) refuseField(file, ['names', index], `“${name}” cannot be a member name`);
    if (slugs.has(slug)) refuseField(file, ['names', index], `“${name}” appears twice`);
    slugs.add(slug);
  }
  return universe;
}
