import path from 'node:path';
import { FROM_PROJECT } from '#kernel/graph-folder.js';

/** Folder of worktrees where no setting says otherwise. */
export const TREES_FOLDER = FROM_PROJECT.worktrees;
const NOTE = '# Worktrees of Troupe';

/**
 * The `.gitignore` of a folder of worktrees: hides it from git, and names the project it is for. One within the project names it by a
 * relative path, as both move together.
 */
export function treesNote(project: string, folder: string, isWithin: boolean): string {
  return `${NOTE} for ${isWithin ? path.relative(folder, project) : project}\n*\n`;
}

/** Project that the note in a folder names; undefined for any other text. */
export function notedProject(note: string, folder: string): string | undefined {
  const named = /^# Worktrees of Troupe for (.+)\n\*\n$/s.exec(note)?.[1];
  return named === undefined ? undefined : path.resolve(folder, named);
}
