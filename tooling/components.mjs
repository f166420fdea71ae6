// What is shipped that others wrote: from the lockfile, for the reference and for the test that looks at it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { HOME } from './prepare.mjs';

/** Built into the dashboard: there they are shipped, although installing Troupe does not install them. */
const BUILT_IN = ['react', 'react-dom', '@xyflow/react'];

/** Every package of others that reaches whoever runs Troupe, by name and version, with its entry of the lockfile. */
export function shippedComponents() {
  const { packages } = JSON.parse(readFileSync(path.join(HOME, 'package-lock.json'), 'utf8'));
  const shipped = new Set(Object.keys(packages).filter((place) => place !== '' && !packages[place].dev));
  const pending = BUILT_IN.map((name) => `node_modules/${name}`);
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (shipped.has(place) && !packages[place].dev) continue;
    shipped.add(place);
    for (const name of Object.keys(packages[place].dependencies ?? {})) {
      const found = placeOf(packages, place, name);
      if (!shipped.has(found)) pending.push(found);
    }
  }
  const rows = [...shipped].map((place) => ({
    name: place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
    ...packages[place],
    inDashboard: packages[place].dev === true,
  }));
  const key = ({ name, version }) => `${name} ${version}`;
  const once = new Map(rows.map((row) => [key(row), row]));
  return [...once.values()].sort((left, right) => (key(left) < key(right) ? -1 : 1));
}

/** The same as a software bill of materials in the form of CycloneDX: without a time, so that it changes with the lockfile only. */
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

/** Where a package finds another: in its own folder, else in the nearest one around. */
function placeOf(packages, from, name) {
  for (let around = from; ; around = around.slice(0, Math.max(0, around.lastIndexOf('/node_modules/')))) {
    const place = around === '' ? `node_modules/${name}` : `${around}/node_modules/${name}`;
    if (packages[place] || around === '') return place;
  }
}
