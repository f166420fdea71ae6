/**
 * Dependencies parsed from manifests and lock files.
 * @packageDocumentation
 */
import { strictYaml } from '#adapters/disk/strict-yaml.js';
import type { Dependency } from '#core/review/dependencies.js';
import { isJsonObject, type JsonObject, parseJsonObject } from '#kernel/json.js';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Licence of a package.json, in any of its three notations. */
export function licenceOf(manifest: JsonObject): string | undefined {
  const { license, licenses } = manifest;
  if (isJsonObject(license)) return textOf(license['type']);
  if (Array.isArray(licenses)) {
    return (
      licenses
        .map((item) => textOf(isJsonObject(item) ? item['type'] : item))
        .filter((item) => item !== undefined)
        .join(' OR ') || undefined
    );
  }
  return textOf(license);
}

/** Direct dependencies of a package.json. */
export function fromPackageJson(text: string): Dependency[] {
  const manifest = parseJsonObject(text);
  if (!manifest) return [];
  const named = (field: string, development: boolean): Dependency[] =>
    isJsonObject(manifest[field])
      ? Object.entries(manifest[field]).map(([name, range]) => ({
          ecosystem: 'npm',
          name,
          version: textOf(range),
          direct: true,
          development,
        }))
      : [];
  return [...named('dependencies', false), ...named('optionalDependencies', false), ...named('devDependencies', true)];
}

/** Whether a package is published: it declares entry points or files, and is not private. */
export function isPublished(text: string): boolean {
  const manifest = parseJsonObject(text) ?? {};
  const offers = ['main', 'module', 'exports', 'types', 'bin', 'files'].some((field) => manifest[field] !== undefined);
  return manifest['private'] !== true && typeof manifest['name'] === 'string' && offers;
}

/** Parses package-lock.json of versions 2 and 3 (`packages`) and 1 (`dependencies`). */
export function fromPackageLock(text: string): Dependency[] {
  const lock = parseJsonObject(text);
  if (!lock) return [];
  if (!isJsonObject(lock['packages']))
    return isJsonObject(lock['dependencies']) ? fromOldLock(lock['dependencies']) : [];
  const root = lock['packages'][''];
  const direct = new Set(
    isJsonObject(root)
      ? ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((field) =>
          isJsonObject(root[field]) ? Object.keys(root[field]) : [],
        )
      : [],
  );
  const dependencies: Dependency[] = [];
  for (const [where, entry] of Object.entries(lock['packages'])) {
    const at = where.lastIndexOf('node_modules/');
    if (at === -1 || !isJsonObject(entry) || entry['link'] === true) continue;
    const name = textOf(entry['name']) ?? where.slice(at + 'node_modules/'.length);
    dependencies.push({
      ecosystem: 'npm',
      name,
      version: textOf(entry['version']),
      direct: at === 0 && direct.has(name),
      development: entry['dev'] === true || entry['devOptional'] === true,
      licence: licenceOf(entry),
    });
  }
  return dependencies;
}

/**
 * Parses the nested dependencies of version 1. Iterative, because the nesting of a hostile file could exceed the stack.
 */
function fromOldLock(dependencies: JsonObject): Dependency[] {
  const list: Dependency[] = [];
  const pending: { entries: JsonObject; direct: boolean }[] = [{ entries: dependencies, direct: true }];
  for (let level = pending.pop(); level; level = pending.pop()) {
    for (const [name, entry] of Object.entries(level.entries)) {
      if (!isJsonObject(entry)) continue;
      list.push({
        ecosystem: 'npm',
        name,
        version: textOf(entry['version']),
        direct: level.direct,
        development: entry['dev'] === true,
      });
      if (isJsonObject(entry['dependencies'])) pending.push({ entries: entry['dependencies'], direct: false });
    }
  }
  return list;
}

/**
 * Parses pnpm-lock.yaml: keys of `packages` are `name@version`; in older files with a leading slash, and peers in
 * brackets.
 */
export function fromPnpmLock(text: string): Dependency[] {
  const lock = strictYaml(text).value;
  if (!isJsonObject(lock) || !isJsonObject(lock['packages'])) return [];
  return Object.entries(lock['packages']).flatMap(([key, entry]): Dependency[] => {
    const [, name, version] = /^\/?((?:@[^/@]+\/)?[^/@]+)[@/]([^(_]+)/.exec(key) ?? [];
    if (name === undefined) return [];
    return [
      {
        ecosystem: 'npm',
        name,
        version,
        direct: false,
        development: isJsonObject(entry) && entry['dev'] === true,
      },
    ];
  });
}

/** Parses yarn.lock of both generations: a line of specifiers that ends with a colon, then an indented version. */
export function fromYarnLock(text: string): Dependency[] {
  const dependencies: Dependency[] = [];
  let name: string | undefined;
  for (const line of text.split('\n')) {
    const specifier = /^"?((?:@[^/@"\s]+\/)?[^@"\s/]+)@[^\n]*:\s*$/.exec(line);
    if (specifier) name = specifier[1];
    const version = /^\s+version:?\s+"?([^"\s]+)"?\s*$/.exec(line);
    if (!version || name === undefined) continue;
    if (version[1] !== '0.0.0-use.local')
      dependencies.push({ ecosystem: 'npm', name, version: version[1], direct: false, development: false });
    name = undefined;
  }
  return dependencies;
}
