import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** The `.git` that git finds from a folder upwards. */
export interface RepositoryAt {
  /** The folder it lies in. */
  readonly top: string;
  readonly isFolder: boolean;
  /** What no other one has: another that is put in its place differs. */
  readonly identity: string;
}

/** Undefined where there is none, or nobody may look. */
export async function repositoryAt(folder: string): Promise<RepositoryAt | undefined> {
  const start = await realpath(folder).catch(() => undefined);
  for (let top = start; top !== undefined; top = path.dirname(top)) {
    try {
      const { dev, ino, birthtimeNs, ctimeNs, isDirectory } = await lookAt(path.join(top, '.git'));
      const identity = `${dev} ${ino} ${birthtimeNs}`;
      // A file is small and written anew; a folder changes with each index.
      return { top, isFolder: isDirectory, identity: isDirectory ? identity : `${identity} ${ctimeNs}` };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if ((code !== 'ENOENT' && code !== 'ENOTDIR') || top === path.dirname(top)) return undefined;
    }
  }
  return undefined;
}

async function lookAt(file: string) {
  const stats = await stat(file, { bigint: true });
  const { dev, ino, birthtimeNs, ctimeNs } = stats;
  return { dev, ino, birthtimeNs, ctimeNs, isDirectory: stats.isDirectory() };
}
