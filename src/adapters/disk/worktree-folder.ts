import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { notedProject, TREES_FOLDER } from '#core/settings/trees-folder.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';

/**
 * Returns the worktree of a project that contains a folder, whether it still exists or not: a folder of
 * `.workgraph/worktrees`, or one beside the note that Troupe writes where a setting places worktrees. Undefined for any
 * other folder.
 */
export function worktreeAround(project: string, folder: string): string | undefined {
  for (let tree = path.resolve(folder); tree !== path.dirname(tree); tree = path.dirname(tree))
    if (holdsWorktrees(project, path.dirname(tree))) return tree;
  return undefined;
}

function holdsWorktrees(project: string, folder: string): boolean {
  if (folder === path.join(project, TREES_FOLDER)) return true;
  const noted = notedIn(folder);
  return noted !== undefined && (noted === project || noted === realPath(project));
}

/** Project whose worktrees a folder holds, by its place or its note; undefined for any other folder. */
export function projectOfWorktrees(folder: string): string | undefined {
  const ending = path.sep + TREES_FOLDER;
  return folder.endsWith(ending) ? folder.slice(0, -ending.length) : notedIn(folder);
}

/** Project named by the note in a folder of worktrees; undefined if there is no note. */
export function notedIn(folder: string): string | undefined {
  const file = path.join(folder, '.gitignore');
  const stats = lstatSync(file, { throwIfNoEntry: false });
  const isNote = stats?.isFile() === true && stats.size < TEAM_LIMITS.settingsFileBytes;
  return isNote ? notedProject(readFileSync(file, 'utf8'), folder) : undefined;
}

function realPath(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch {
    return undefined; // a deleted project has no worktrees
  }
}
