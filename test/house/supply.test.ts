import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
// @ts-expect-error: plain JavaScript of the tooling
import { shippedComponents } from '../../tooling/components.mjs';
import { verifies } from '../verifies.js';

const HOME = path.resolve(import.meta.dirname, '../..');
/** What may be shipped: each of these lets anybody use it for anything, and asks for no more than to be named. */
const LICENCES = new Set([
  ...[
    'MIT',
    'MIT-0',
    'ISC',
    'Apache-2.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    '0BSD',
    'CC0-1.0',
    'AFL-2.1',
    'BlueOak-1.0.0',
    'CC-BY-3.0', // of lists of names, such as those of SPDX
  ],
]);

interface Component {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly where: 'program' | 'dashboard' | 'beside';
}
const components = shippedComponents() as readonly Component[];
const label = ({ name, version }: { name: string; version: string }) => `${name}@${version}`;

verifies('sec.supply', 'what is shipped runs no script when it is installed, and is pinned by its bytes', () => {
  expect(components.length).toBeGreaterThan(100);
  expect(components.filter(({ hasInstallScript }) => hasInstallScript === true).map(label)).toEqual([]);
  const unpinned = components.filter(({ integrity }) => !integrity?.startsWith('sha512-'));
  expect(unpinned.map(label)).toEqual([]);
});

verifies('sec.supply', 'every licence is stated and one that asks for nothing but to be named', () => {
  const stated = (license = '') => license.replace(/[()]/g, '').split(/ OR | AND /);
  expect(components.filter(({ license }) => !stated(license).some((one) => LICENCES.has(one))).map(label)).toEqual([]);
  const whereIs = (wanted: string) => components.find(({ name }) => name === wanted)?.where;
  expect(['ink', '@xyflow/react', '@libsql/linux-x64-gnu', 'libsql'].map(whereIs)).toEqual([
    'program',
    'dashboard',
    'beside',
    'program',
  ]);
});

verifies('sec.supply', 'the bill of materials names each once, with what its bytes hash to', () => {
  const bill = JSON.parse(readFileSync(path.join(HOME, 'docs/reference/components.cdx.json'), 'utf8')) as {
    components: readonly { name: string; version: string; purl: string; hashes: { alg: string; content: string }[] }[];
  };
  expect(bill.components.map(label)).toEqual(components.map(label));
  for (const { name, version, purl, hashes } of bill.components) {
    expect(decodeURIComponent(purl)).toBe(`pkg:npm/${name}@${version}`);
    expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
  }
});

interface LockedPackage {
  readonly version: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The packages of the lockfile that carry optional builds, with those it has no package for. */
function withoutBuilds(packages: Readonly<Record<string, LockedPackage>>): string[] {
  return Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !placesFor(place, name).some((candidate) => candidate in packages))
      .map((name) => `${place}: ${name}`),
  );
}

/** Where an installation looks for a package: beside the one that wants it, then in each folder above. */
function placesFor(place: string, name: string): string[] {
  const parents = place === '' ? [] : place.split('/node_modules/').map((_, index, parts) => parts.slice(0, index + 1));
  const nested = parents.map((parts) => `${parts.join('/node_modules/')}/node_modules/${name}`);
  return [...nested, `node_modules/${name}`];
}

verifies('ui.lock', 'the lockfile names the optional build of every platform, so that npm ci takes it anywhere', () => {
  const { packages } = JSON.parse(readFileSync(path.join(HOME, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, LockedPackage>>;
  };
  expect(withoutBuilds(packages)).toEqual([]);
  const native = Object.values(packages).filter(({ optionalDependencies }) => optionalDependencies !== undefined);
  expect(native.length).toBeGreaterThan(4);
  for (const [platform, mark] of Object.entries({ linux: /linux/, macOS: /darwin/, Windows: /win32/ })) {
    const builds = Object.keys(packages).filter((place) => mark.test(place));
    expect(builds.length, platform).toBeGreaterThan(5);
  }
});
