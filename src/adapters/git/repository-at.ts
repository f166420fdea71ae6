import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';

const SECOND_NS = 1_000_000_000n;

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

/**
 * The state of a file: `text` differs after every change of it, but for two within one step of the file system's clock, of which the last
 * was at `changedAt`; 0 for a file that is not there.
 */
export interface Version {
  readonly text: string;
  readonly changedAt: number;
}

export async function versionOf(file: string): Promise<Version> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = await stat(file, { bigint: true });
    const step = ctimeNs % SECOND_NS === 0n ? 1_000 : 0; // a clock of whole seconds
    return { text: `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`, changedAt: Number(ctimeMs) + step };
  } catch (error) {
    return { text: `${(error as NodeJS.ErrnoException).code}`, changedAt: 0 };
  }
}
