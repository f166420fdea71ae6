import { type Catalog, GENERAL_TEAM } from '#core/catalog/catalog.js';
import { type CatalogFile, readEntry, refuseField } from '#core/catalog/catalog-file.js';
import { folderSlug } from '#core/catalog/member-slug.js';
import { SIGNAL_IDS } from '#core/catalog/signal-vocabulary.js';
import {
  type Archetype,
  archetypeSchema,
  builtinsSchema,
  type GoalExample,
  type Grouping,
  goalExampleLinesSchema,
  groupingSchema,
  lexiconSchema,
  type Manifest,
  manifestSchema,
  signalRulesSchema,
  type Universe,
  type WorkKind,
  workKindsSchema,
} from './catalog.js';
import { readUniverse } from './catalog-file.js';

/** All catalog files except charters, workflows and the policy text, which are read on demand. */
export interface CatalogFiles {
  readonly manifest: CatalogFile;
  readonly builtins: CatalogFile;
  readonly lexicon: CatalogFile;
  readonly signalRules: CatalogFile;
  readonly workKinds: CatalogFile;
  /** The value is an array of lines. */
  readonly goalExamples: CatalogFile;
  readonly archetypes: readonly CatalogFile[];
  readonly groupings: readonly CatalogFile[];
  readonly universes: readonly CatalogFile[];
}

/**
 * Assembles the catalog and validates it: every entry is valid, every id matches its file name, every reference
 * resolves. Errors: `catalog_invalid`, with file and field.
 */
export function assembleCatalog(files: CatalogFiles): Catalog {
  const manifest: Manifest = readEntry(manifestSchema, files.manifest);
  const archetypes = inOrder<Archetype>(
    files.archetypes,
    archetypeSchema,
    manifest.archetypes,
    files.manifest,
    'archetypes',
  );
  const groupings = inOrder<Grouping>(files.groupings, groupingSchema, manifest.groupings, files.manifest, 'groupings');
  const menu = [...archetypes.values()].filter((archetype) => archetype.kind === 'cast');
  const menuIds = new Set(menu.map((archetype) => archetype.id));
  for (const id of GENERAL_TEAM) {
    if (!menuIds.has(id)) refuseField(files.manifest, ['archetypes'], `the general team needs “${id}”`);
  }
  for (const file of files.groupings) checkGrouping(file, menuIds);

  const builtins = readEntry(builtinsSchema, files.builtins);
  const builtinIds = new Set(builtins.map((builtin) => builtin.archetype));
  for (const [index, builtin] of builtins.entries()) {
    if (archetypes.get(builtin.archetype)?.kind !== 'builtin') {
      refuseField(files.builtins, [index, 'archetype'], `“${builtin.archetype}” is not a built-in archetype`);
    }
    if (folderSlug(builtin.name) === undefined) refuseField(files.builtins, [index, 'name'], 'not a member name');
  }
  for (const archetype of archetypes.values()) {
    if (archetype.kind === 'builtin' && !builtinIds.has(archetype.id)) {
      refuseField(files.builtins, [], `the built-in archetype “${archetype.id}” has no name`);
    }
  }
  const { rules } = readEntry(signalRulesSchema, files.signalRules);
  for (const [index, rule] of rules.entries()) {
    if (!SIGNAL_IDS.has(rule.signal))
      refuseField(files.signalRules, ['rules', index, 'signal'], `unknown signal “${rule.signal}”`);
    if (!menuIds.has(rule.archetype)) {
      refuseField(files.signalRules, ['rules', index, 'archetype'], `“${rule.archetype}” cannot be cast`);
    }
  }
  const { kinds } = readEntry(workKindsSchema, files.workKinds);
  const domains = new Set(menu.map(({ domain }) => domain));
  for (const [index, kind] of kinds.entries()) {
    const unknown = kind.team.find((id) => !menuIds.has(id));
    if (unknown !== undefined) refuseField(files.workKinds, ['kinds', index, 'team'], `“${unknown}” cannot be cast`);
    const nobodys = kind.beside.find((domain) => !domains.has(domain));
    if (nobodys !== undefined)
      refuseField(files.workKinds, ['kinds', index, 'beside'], `nobody is of the domain “${nobodys}”`);
  }
  return {
    version: String(manifest.version),
    archetypes,
    menu,
    groupings,
    universes: universesInOrder(files.universes, manifest, files.manifest),
    builtins,
    lexicon: readEntry(lexiconSchema, files.lexicon),
    signalRules: rules,
    workKinds: kinds,
    goalExamples: readGoalExamples(files.goalExamples, kinds),
    workflows: manifest.workflows,
  };
}

/** Parses one goal per line, `kind, kind | goal`; lines starting with # are comments. */
function readGoalExamples(file: CatalogFile, kinds: readonly WorkKind[]): readonly GoalExample[] {
  const known = new Set(kinds.map(({ id }) => id));
  return readEntry(goalExampleLinesSchema, file).flatMap((line, index): GoalExample[] => {
    if (line === '' || line.startsWith('#')) return [];
    const bar = line.indexOf('|');
    const goal = line.slice(bar + 1).trim();
    if (bar < 0 || goal === '') refuseField(file, [index], 'must be `kind, kind | goal`');
    const ids = line
      .slice(0, bar)
      .split(',')
      .map((id) => id.trim());
    const unknown = ids.find((id) => !known.has(id));
    if (unknown !== undefined) refuseField(file, [index], `there is no kind of work “${unknown}”`);
    return [{ goal, kinds: ids }];
  });
}

function stem(file: CatalogFile): string {
  return file.name.slice(file.name.lastIndexOf('/') + 1).replace(/\.yaml$/, '');
}

/** Returns the entries keyed by `id`, in manifest order; manifest and folder must list the same ids. */
function inOrder<Entry extends { readonly id: string }>(
  files: readonly CatalogFile[],
  schema: Parameters<typeof readEntry<Entry>>[0],
  order: readonly string[],
  manifest: CatalogFile,
  field: string,
): ReadonlyMap<string, Entry> {
  const byId = new Map<string, Entry>();
  for (const file of files) {
    const entry = readEntry(schema, file);
    if (entry.id !== stem(file)) refuseField(file, ['id'], `“${entry.id}” is not the name of the file`);
    byId.set(entry.id, entry);
  }
  const ordered = new Map<string, Entry>();
  for (const [index, id] of order.entries()) {
    const entry = byId.get(id);
    if (!entry) refuseField(manifest, [field, index], `there is no file for “${id}”`);
    if (ordered.has(id)) refuseField(manifest, [field, index], `“${id}” appears twice`);
    ordered.set(id, entry);
  }
  for (const file of files) {
    if (!ordered.has(stem(file))) refuseField(file, ['id'], 'the manifest does not name it');
  }
  return ordered;
}

function checkGrouping(file: CatalogFile, menu: ReadonlySet<string>): void {
  for (const [index, id] of readEntry(groupingSchema, file).archetypes.entries()) {
    if (!menu.has(id)) refuseField(file, ['archetypes', index], `“${id}” cannot be cast`);
  }
}

function universesInOrder(
  files: readonly CatalogFile[],
  manifest: Manifest,
  manifestFile: CatalogFile,
): readonly Universe[] {
  const bySlug = new Map<string, Universe>();
  const names = new Set<string>();
  for (const file of files) {
    const universe = readUniverse(file);
    if (names.has(universe.name.toLowerCase())) refuseField(file, ['name'], `“${universe.name}” exists twice`);
    names.add(universe.name.toLowerCase());
    bySlug.set(stem(file), universe);
  }
  const unnamed = files.find((file) => !manifest.universes.includes(stem(file)));
  if (unnamed) refuseField(unnamed, [], 'the manifest does not name it');
  return manifest.universes.map((slug, index) => {
    const universe = bySlug.get(slug);
    if (!universe) refuseField(manifestFile, ['universes', index], `there is no file for “${slug}”`);
    return universe;
  });
}
