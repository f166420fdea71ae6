import path from 'node:path';
import { ParsedByBuild } from '#adapters/catalog/parsed-ahead.js';
import { YamlCatalog } from '#adapters/catalog/yaml-catalog.js';

/**
 * The shipped catalog as the program reads it, including the part parsed by the build. `root`: folder of the
 * repository.
 */
export function shippedCatalog(root: string): YamlCatalog {
  return new YamlCatalog(path.join(root, 'data/catalog'), new ParsedByBuild(path.join(root, 'dist/catalog.json.br')));
}
