import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { addLines } from './attributes.js';
import { diskError, refuseLink, refuseLinks } from './disk.js';
import { holdsGraph, storePaths } from './paths.js';

/** Makes an empty graph folder, with what git should and should not keep. What is there already stays. */
export function initialiseStore(folder: string): { created: boolean } {
  const paths = storePaths(folder);
  refuseLinks(paths);
  const created = !holdsGraph(folder);
  try {
    mkdirSync(paths.service, { recursive: true, mode: 0o700 });
    for (const name of ['.gitignore', '.gitattributes'] as const) {
      refuseLink(path.join(folder, name));
      addLines(folder, name);
    }
    writeOnce(paths.log, '');
    writeOnce(paths.graph, '');
  } catch (error) {
    throw diskError(error, folder);
  }
  return { created };
}

function writeOnce(file: string, text: string): void {
  if (!existsSync(file)) writeFileSync(file, text);
}
