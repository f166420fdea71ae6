// Third-party components shipped with Troupe, from the lockfile; for the reference and the test that checks it.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { HOME } from './prepare.mjs';

/** Matches imports of packages by name: values or types, static or dynamic. */
const IMPORT = /(?:\bfrom|\bimport|\bimport\()\s*'((?:@[\w.-]+\/)?[\w-][\w.-]*)(?:\/[^']*)?'/g;
/** Imported by the source but run only at build time; not shipped (`tooling/statements.mjs`). */
const BUILD_ONLY = new Set(['kysely']);

/**
 * All third-party packages that reach users of Troupe, by name and version, with their lockfile entries: those bundled
 * into the program or the dashboard, which installing Troupe does not install, and those installed with it.
 */
export function shippedComponents() {
  const { packages } = JSON.parse(readFileSync(path.join(HOME, 'package-lock.json'), 'utf8'));
  const inProgram = withDependencies(packages, importedBelow('src'));
  const inDashboard = withDependencies(packages, importedBelow('web/app'));
  const beside = Object.keys(packages).filter((place) => place !== '' && !packages[place].dev);
  const rows = [...new Set([...inProgram, ...inDashboard, ...beside])].map((place) => ({
    name: nameAt(place),
    ...packages[place],
    where: inProgram.has(place) && packages[place].dev ? 'program' : packages[place].dev ? 'dashboard' : 'beside',
  }));
  const key = ({ name, version }) => `${name} ${version}`;
  const once = new Map(rows.map((row) => [key(row), row]));
  return [...once.values()].sort((left, right) => (key(left) < key(right) ? -1 : 1));
}

/** Packages imported by the files below a folder. */
function importedBelow(folder) {
  const files = readdirSync(path.join(HOME, folder), { recursive: true }).filter((name) => /\.tsx?$/.test(name));
  const texts = files.map((name) => readFileSync(path.join(HOME, folder, name), 'utf8'));
  const names = texts.flatMap((text) => [...text.matchAll(IMPORT)].map(([, name]) => name));
  return [...new Set(names)].filter((name) => !BUILD_ONLY.has(name));
}

/**
 * Lockfile paths of these packages and their transitive dependencies. Names missing from the lockfile are parts of
 * Node.
 */
function withDependencies(packages, names) {
  const places = new Set();
  const pending = names.map((name) => `node_modules/${name}`).filter((place) => packages[place]);
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (places.has(place)) continue;
    places.add(place);
    const { dependencies, peerDependencies, peerDependenciesMeta } = packages[place];
    const names = Object.keys({ ...dependencies, ...peerDependencies, ...peerDependenciesMeta });
    const wanted = names.map((name) => placeOf(packages, place, name));
    // The bundler includes optional peer dependencies that are installed.
    pending.push(...wanted.filter((other) => packages[other] && !nameAt(other).startsWith('@types/')));
  }
  return places;
}

/** `node_modules/a/node_modules/@b/c` → `@b/c`. */
export const nameAt = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

/**
 * The same as a software bill of materials in CycloneDX format. It has no timestamp, so it changes only with the
 * lockfile.
 */
export function billOfMaterials() {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    components: shippedComponents().map(({ name, version, license, integrity }) => {
      const [scope, own] = name.startsWith('@') ? name.split('/') : ['', name];
      const place = `${scope === '' ? '' : `${encodeURIComponent(scope)}/`}${own}`;
      const [algorithm, digest] = integrity.split('-', 2);
      return {
        type: 'library',
        'bom-ref': `${name}@${version}`,
        name,
        version,
        purl: `pkg:npm/${place}@${version}`,
        licenses: [/^[\w.-]+$/.test(license) ? { license: { id: license } } : { expression: license }],
        hashes: [{ alg: `SHA-${algorithm.slice(3)}`, content: Buffer.from(digest, 'base64').toString('hex') }],
      };
    }),
  };
}

/** Lockfile path at which a package resolves another: in its own folder, else the nearest enclosing one. */
function placeOf(packages, from, name) {
  for (let around = from; ; around = around.slice(0, Math.max(0, around.lastIndexOf('/node_modules/')))) {
    const place = around === '' ? `node_modules/${name}` : `${around}/node_modules/${name}`;
    if (packages[place] || around === '') return place;
  }
}
