import path from 'node:path';
import { FROM_PROJECT } from '#kernel/graph-folder.js';

/** Default folder of worktrees. */
export const TREES_FOLDER = FROM_PROJECT.worktrees;
const NOTE = '# Worktrees of Troupe';

/**
 * Content of the `.gitignore` in a folder of worktrees: hides the folder from git and names its project. Inside the
 * project the path is relative, as both move together.
 */
export function treesNote(project: string, folder: string, isWithin: boolean): string {
  return `${NOTE} for ${isWithin ? path.relative(folder, project) : project}\n*\n`;
}

/** Project named in such a file; undefined for any other text. */
export function notedProject(note: string, folder: string): string | undefined {
  const named = /^# Worktrees of Troupe for (.+)\n\*\n$/s.exec(note)?.[1];
  return named === undefined ? undefined : path.resolve(folder, named);
}
