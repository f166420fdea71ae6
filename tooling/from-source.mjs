// Bundles single modules of the source for this process, so that measurements include nothing else.
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { HOME } from './prepare.mjs';

/**
 * Bundles modules and imports them: `{ name: 'src/core/graph/state.ts' }` -> `{ name: its exports, folder: output
 * folder }`. The output lies below node_modules, because some packages cannot be bundled and must be resolved there.
 */
export async function fromSource(input) {
  const folder = mkdtempSync(path.join(HOME, 'node_modules', '.troupe-source-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const bundle = await rolldown({
    cwd: HOME,
    input,
    platform: 'node',
    external: [/^node:/, 'pg'],
    resolve: { conditionNames: ['import', 'node', 'default'], extensionAlias: { '.js': ['.ts', '.js'] } },
    logLevel: 'silent',
  });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
  await bundle.close();
  const load = async (name) => [name, await import(pathToFileURL(path.join(folder, `${name}.mjs`)).href)];
  return { ...Object.fromEntries(await Promise.all(Object.keys(input).map(load))), folder };
}
