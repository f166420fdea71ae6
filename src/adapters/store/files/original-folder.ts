import { lstatSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { graphLayout } from '#kernel/graph-folder.js';
import { ORIGINAL_FOLDER } from '#kernel/original-folder.js';
import { storeError } from './disk.js';
import { holdsGraph } from './paths.js';

/**
 * Takes over the graph of the original workgraph beside `folder`, the path of our graph folder: gives its folder our
 * name and leaves a link under the old one, for scripts. Nothing else here then knows a second name, and nothing
 * follows a link. Returns false if there is no such graph, or ours exists.
 */
export function takeOriginalFolder(folder: string): boolean {
  const original = path.join(path.dirname(folder), ORIGINAL_FOLDER);
  // A link may lead out of the project.
  if (isThere(folder) || !isThere(original)?.isDirectory() || !holdsGraph(graphLayout(original))) return false;
  try {
    renameSync(original, folder);
  } catch (error) {
    throw storeError(error, folder);
  }
  linkOriginalFolder(folder);
  return true;
}

/** Puts a link under the old name beside `folder`, unless something is there. */
export function linkOriginalFolder(folder: string): void {
  const original = path.join(path.dirname(folder), ORIGINAL_FOLDER);
  if (isThere(original)) return;
  try {
    symlinkSync(path.basename(folder), original);
  } catch (error) {
    throw storeError(error, original);
  }
}

const isThere = (file: string) => lstatSync(file, { throwIfNoEntry: false });
