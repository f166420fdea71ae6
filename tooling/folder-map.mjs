import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { HOME } from './prepare.mjs';

/** The package comment of a folder's entry file. */
const OVERVIEW = /^\/\*\*\n((?: \* .*\n)+?) \* @packageDocumentation\n \*\/\n/;
const TREES = ['src', 'web/app'];

/**
 * Every source folder with its entry file and overview sentence, `{ folder, entry, overview, files }`, ordered by path.
 * Throws if a folder has no entry file or two.
 */
export function sourceFolders() {
  return TREES.flatMap((tree) => foldersBelow(tree)).sort((left, right) => (left.folder < right.folder ? -1 : 1));
}

function foldersBelow(folder) {
  const children = readdirSync(path.join(HOME, folder), { withFileTypes: true });
  const below = children
    .filter((child) => child.isDirectory())
    .flatMap(({ name }) => foldersBelow(`${folder}/${name}`));
  const files = children.map(({ name }) => name).filter((name) => /\.tsx?$/.test(name));
  if (files.length === 0 || folder === 'src') return below; // files directly in `src` are entries of the package
  const entries = files.flatMap((name) => {
    const match = OVERVIEW.exec(readFileSync(path.join(HOME, folder, name), 'utf8'));
    return match ? [{ entry: name, overview: match[1].replace(/^ \* /gm, '').trim().replaceAll('\n', ' ') }] : [];
  });
  if (entries.length !== 1)
    throw new Error(
      `${folder} has ${entries.length} files that begin with a comment for the whole folder (@packageDocumentation); it needs one.`,
    );
  return [{ folder, files: files.length, ...entries[0] }, ...below];
}
