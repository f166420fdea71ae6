import { copyFile, link, lstat, mkdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { FileChange } from '#core/team/file-change.js';
import { TroupeError } from '#kernel/errors.js';
import { codeOf, isMissing } from './safe-path.js';

const KEPT = 'before';
const NO_LINKS = new Set<unknown>(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

/** What a write has to know to be taken back: which of its targets were there, and which folders were not. */
export interface Before {
  /** One for each change, in their order. */
  readonly there: readonly boolean[];
  /** From the project, the outermost first. */
  readonly newFolders: readonly string[];
}

/** Keeps every target as it stands, the very file, in the folder of the write: putting it back takes no room on the disk. */
export async function keepBefore(project: string, folder: string, changes: readonly FileChange[]): Promise<Before> {
  await mkdir(path.join(folder, KEPT));
  const there: boolean[] = [];
  for (const [index, change] of changes.entries()) {
    there.push(await keepCopy(path.join(project, change.path), path.join(folder, KEPT, String(index))));
  }
  const newFolders: string[] = [];
  for (const parent of parentsOf(changes)) {
    if (!(await exists(path.join(project, parent)))) newFolders.push(parent);
  }
  return { there, newFolders };
}

/** False where there is nothing to keep. */
async function keepCopy(file: string, place: string): Promise<boolean> {
  try {
    await link(file, place).catch(async (error: unknown) => {
      // Not every disk knows second names of a file, and not every file of somebody else may have one.
      if (!NO_LINKS.has(codeOf(error))) throw error;
      await copyFile(file, place);
    });
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Everything as it was kept. May be cut off and begun again: what is back already has left the folder of the write. */
export async function putBack(
  project: string,
  folder: string,
  changes: readonly FileChange[],
  before: Before,
  step: (name: string) => void | Promise<void>,
): Promise<void> {
  for (const [index, { path: relative }] of [...changes.entries()].reverse()) {
    const target = path.join(project, relative);
    await step(`restore ${relative}`);
    if (before.there[index] === true) await restore(path.join(folder, KEPT, String(index)), target);
    else await rm(target, { force: true });
  }
  for (const folder of [...before.newFolders].reverse()) await removeEmpty(path.join(project, folder));
}

async function restore(copy: string, target: string): Promise<void> {
  try {
    // The folder lies in the repository: a link put there must not become a file of the team.
    if (!(await lstat(copy)).isFile())
      throw new TroupeError('unsafe_path', { what: 'What was kept of a write is not a regular file.' });
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  await mkdir(path.dirname(target), { recursive: true });
  await rename(copy, target);
}

/** Whether a record says this of these changes; it may name no other folders than theirs. */
export function isBefore(value: unknown, changes: readonly FileChange[]): value is Before {
  if (typeof value !== 'object' || value === null) return false;
  const { there, newFolders } = value as Record<string, unknown>;
  const parents = new Set<unknown>(parentsOf(changes));
  return (
    Array.isArray(there) &&
    there.length === changes.length &&
    there.every((one) => typeof one === 'boolean') &&
    Array.isArray(newFolders) &&
    newFolders.every((one) => parents.has(one))
  );
}

/** Every folder above a target, the outermost first. */
function parentsOf(changes: readonly FileChange[]): string[] {
  const folders = new Set<string>();
  for (const change of changes) {
    const parts = change.path.split('/').slice(0, -1);
    for (const index of parts.keys()) folders.add(parts.slice(0, index + 1).join('/'));
  }
  return [...folders].sort();
}

async function exists(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function removeEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!isMissing(error) && codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
  }
}
