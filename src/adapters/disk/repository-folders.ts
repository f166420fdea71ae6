import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/** Where the repository around a folder keeps its data. All paths are real ones. */
export interface RepositoryFolders {
  readonly top: string;
  /** What belongs to this work tree alone. */
  readonly own: string;
  /** What all work trees of the repository share. */
  readonly common: string;
}

/** Found by the files that git itself goes by, without starting git; undefined outside of repositories. */
export function repositoryAround(folder: string): RepositoryFolders | undefined {
  for (let top = folder; ; top = path.dirname(top)) {
    const entry = path.join(top, '.git');
    const stats = statSync(entry, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return { top, own: realpathSync(entry), common: realpathSync(entry) };
    if (stats?.isFile()) return linked(top, entry);
    if (top === path.dirname(top)) return undefined;
  }
}

/** Of a worktree or a submodule: its `.git` is a file that names the folder. */
function linked(top: string, entry: string): RepositoryFolders | undefined {
  const named = /^gitdir: (.+)$/m.exec(readFileSync(entry, 'utf8'))?.[1];
  if (named === undefined) return undefined;
  const own = realOrNothing(path.resolve(top, named));
  if (own === undefined) return undefined;
  const shared = statSync(path.join(own, 'commondir'), { throwIfNoEntry: false });
  const common = shared ? path.resolve(own, readFileSync(path.join(own, 'commondir'), 'utf8').trim()) : own;
  return { top, own, common: realOrNothing(common) ?? own };
}

/** The path without links; undefined where nothing is. */
export function realOrNothing(place: string): string | undefined {
  try {
    return realpathSync(place);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(String((error as NodeJS.ErrnoException).code))) return undefined;
    throw error;
  }
}
