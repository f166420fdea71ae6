import { lstatSync, realpathSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** Nearest `.git` from a folder upwards, as git finds it. */
export interface RepositoryAt {
  /** Folder that contains it. */
  readonly top: string;
  readonly isFolder: boolean;
  /** Unique identity; changes if another repository takes its place. */
  readonly identity: string;
}

/** Returns undefined if there is none or access is denied. */
export async function repositoryAt(folder: string): Promise<RepositoryAt | undefined> {
  const start = await realpath(folder).catch(() => undefined);
  for (let top = start; top !== undefined; top = path.dirname(top)) {
    try {
      const { dev, ino, birthtimeNs, ctimeNs, isDirectory } = await lookAt(path.join(top, '.git'));
      const identity = `${dev} ${ino} ${birthtimeNs}`;
      // The file is small and replaced on each change; the folder's change time changes with each index.
      return { top, isFolder: isDirectory, identity: isDirectory ? identity : `${identity} ${ctimeNs}` };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if ((code !== 'ENOENT' && code !== 'ENOTDIR') || top === path.dirname(top)) return undefined;
    }
  }
  return undefined;
}

/**
 * False if there is no repository around a folder, which is told by the files that git would look for; true also where
 * only git can tell.
 */
export function mayBeInRepository(folder: string): boolean {
  try {
    for (let top = realpathSync(folder); ; top = path.dirname(top)) {
      // `HEAD`: a bare repository, or the inside of one
      for (const name of ['.git', 'HEAD'])
        if (lstatSync(path.join(top, name), { throwIfNoEntry: false }) !== undefined) return true;
      if (top === path.dirname(top)) return false;
    }
  } catch {
    return true; // git says what is wrong
  }
}

async function lookAt(file: string) {
  const stats = await stat(file, { bigint: true });
  const { dev, ino, birthtimeNs, ctimeNs } = stats;
  return { dev, ino, birthtimeNs, ctimeNs, isDirectory: stats.isDirectory() };
}
