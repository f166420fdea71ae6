import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/** Data folders of a git repository. All paths are real paths. */
export interface RepositoryFolders {
  readonly top: string;
  /** Data of this worktree alone. */
  readonly own: string;
  /** Data shared by all worktrees of the repository. */
  readonly common: string;
}

/** Finds the repository around a folder by its files, without starting git; undefined outside repositories. */
export function repositoryAround(folder: string): RepositoryFolders | undefined {
  for (let top = folder; ; top = path.dirname(top)) {
    const entry = path.join(top, '.git');
    const stats = statSync(entry, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return { top, own: realpathSync(entry), common: realpathSync(entry) };
    if (stats?.isFile()) return linked(top, entry);
    if (top === path.dirname(top)) return undefined;
  }
}

/** For a worktree or a submodule, whose `.git` is a file that names the folder. */
function linked(top: string, entry: string): RepositoryFolders | undefined {
  const named = /^gitdir: (.+)$/m.exec(readFileSync(entry, 'utf8'))?.[1];
  if (named === undefined) return undefined;
  const own = realOrNothing(path.resolve(top, named));
  if (own === undefined) return undefined;
  const shared = statSync(path.join(own, 'commondir'), { throwIfNoEntry: false });
  const common = shared ? path.resolve(own, readFileSync(path.join(own, 'commondir'), 'utf8').trim()) : own;
  return { top, own, common: realOrNothing(common) ?? own };
}

/** Real path; undefined if it does not exist or is not accessible. */
export function realOrNothing(place: string): string | undefined {
  try {
    return realpathSync(place);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(String((error as NodeJS.ErrnoException).code))) return undefined;
    throw error;
  }
}
