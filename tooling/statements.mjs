// Database statements are written with Kysely and compiled at build time: the program contains only their text, not
// Kysely.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fromSource } from './from-source.mjs';
import { HOME } from './prepare.mjs';

/** Returns a plugin that replaces each statements file by the plain data it exports. */
export async function compiledStatements() {
  const source = path.join(HOME, 'src');
  const files = readdirSync(source, { recursive: true }).filter((name) => name.endsWith('-statements.ts'));
  const modules = await fromSource(Object.fromEntries(files.map((name) => [path.basename(name), `src/${name}`])));
  const code = new Map(files.map((name) => [path.join(source, name), constants(modules[path.basename(name)])]));
  return { name: 'statements', load: (id) => code.get(id) ?? null };
}

function constants(exported) {
  return Object.entries(exported)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}
