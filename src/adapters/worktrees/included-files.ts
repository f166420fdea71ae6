import { constants } from 'node:fs';
import { copyFile, lstat } from 'node:fs/promises';
import path from 'node:path';
import { plainFolder } from '#adapters/disk/plain-files.js';
import { TroupeError } from '#kernel/errors.js';
import { GRAPH_FOLDER } from '#kernel/graph-folder.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { lookAt } from './place.js';
import { must } from './refs.js';
import type { Workbench } from './workshop.js';

/** File at the top of a repository that lists, like `.gitignore`, ignored files that every worktree needs. */
export const INCLUDE_FILE = '.worktreeinclude';

/**
 * Copies ignored files listed in `.worktreeinclude` or matching a pattern from the person's checkout: `.env` files,
 * local certificates. Copies only regular files and never overwrites. Files that git does not ignore are skipped, since
 * they would become part of the work. Errors: `too_large`, `unsafe_path` for a link in the target path.
 */
export async function copyIncluded(
  { git, place }: Workbench,
  tree: string,
  patterns: readonly string[],
): Promise<void> {
  const isListed = (await lookAt(path.join(place.top, INCLUDE_FILE)))?.isFile() === true;
  if (!isListed && patterns.length === 0) return;
  const untracked = async (...excluding: string[]) =>
    must(await git.run(place.top, ['ls-files', '-z', '--others', ...excluding, '--', '.']), 'ls-files').split('\0');
  const listed = await untracked(
    '--ignored',
    ...(isListed ? [`--exclude-from=${INCLUDE_FILE}`] : []),
    ...patterns.map((pattern) => `--exclude=${pattern}`),
  );
  const notIgnored = new Set(await untracked('--exclude-standard'));
  const graph = `${place.below === '' ? '' : `${place.below}/`}${GRAPH_FOLDER}/`;
  const trees = `${path.relative(place.top, place.trees)}/`;
  const files = listed.filter(
    (name) => name !== '' && !notIgnored.has(name) && ![graph, trees].some((folder) => name.startsWith(folder)),
  );
  if (files.length > SURFACE_LIMITS.includedFiles) {
    throw new TroupeError('too_large', {
      what: `${INCLUDE_FILE} and worktree.copy list ${files.length} files; at most ${SURFACE_LIMITS.includedFiles} are copied into a worktree.`,
      hint: 'List less: packages are installed rather than copied, by worktree.setup.',
    });
  }
  for (const file of files) await copyOne(place.top, tree, file);
}

async function copyOne(from: string, to: string, file: string): Promise<void> {
  const source = path.join(from, file);
  if (!(await lstat(source)).isFile()) return;
  const folder = await plainFolder(
    to,
    ...path
      .dirname(file)
      .split('/')
      .filter((part) => part !== '.'),
  );
  try {
    await copyFile(
      source,
      path.join(folder, path.basename(file)),
      constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE,
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
