// node tooling/formats.mjs [--check]: generates docs/formats/ from the schemas in the source; --check reports stale
// pages instead.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fromSource } from './from-source.mjs';
import { HOME } from './prepare.mjs';

const FOLDER = path.join(HOME, 'docs', 'formats');

/** Schema files by name, with their texts. The schemas are a parameter so that a test can pass those it has loaded. */
export function schemaFiles({ FORMATS, jsonSchema }) {
  return new Map(
    FORMATS.map((format) => [`${format.name}.schema.json`, `${JSON.stringify(jsonSchema(format), undefined, 2)}\n`]),
  );
}

async function main() {
  const files = schemaFiles((await fromSource({ formats: 'src/operations/settings/formats.ts' })).formats);
  mkdirSync(FOLDER, { recursive: true });
  const present = new Map(readdirSync(FOLDER).map((name) => [name, readFileSync(path.join(FOLDER, name), 'utf8')]));
  const stale = [...files].filter(([name, text]) => present.get(name) !== text).map(([name]) => name);
  const left = [...present.keys()].filter((name) => !files.has(name));
  if (process.argv.includes('--check')) {
    for (const name of [...stale, ...left])
      process.stderr.write(`docs/formats/${name} is stale. Run: node tooling/formats.mjs\n`);
    process.exitCode = stale.length + left.length > 0 ? 1 : 0;
    return;
  }
  for (const name of left) rmSync(path.join(FOLDER, name));
  for (const name of stale) writeFileSync(path.join(FOLDER, name), files.get(name));
  process.stdout.write(stale.length === 0 ? 'docs/formats/ is current\n' : `wrote ${stale.join(', ')}\n`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
