import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { diskError, refuseLinks } from './disk.js';
import { holdsGraph, storePaths } from './paths.js';

const IGNORED = ['service/', 'agents/', 'reports/', 'worktrees/', ''].join('\n');
const ATTRIBUTES = ['operations.jsonl merge=union', ''].join('\n');

/** Makes an empty graph folder, with what git should and should not keep. What is there already stays as it is. */
export function initialiseStore(folder: string): { created: boolean } {
  const paths = storePaths(folder);
  refuseLinks(paths);
  const created = !holdsGraph(folder);
  try {
    mkdirSync(paths.service, { recursive: true, mode: 0o700 });
    writeOnce(path.join(folder, '.gitignore'), IGNORED);
    writeOnce(path.join(folder, '.gitattributes'), ATTRIBUTES);
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
