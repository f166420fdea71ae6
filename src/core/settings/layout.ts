import path from 'node:path';
import { BRANCH_TEMPLATE } from './branch-template.js';
import { TREES_FOLDER } from './trees-folder.js';

/** Configured names and places of worktrees; attempts made under earlier settings keep theirs. */
export interface Layout {
  /** Template of branches: `wg/{task}/{attempt}`. */
  readonly branch: string;
  /** Folder of all worktrees: relative to the top of the project, absolute, or `~/` for the home folder. */
  readonly folder: string;
}

export const DEFAULT_LAYOUT: Layout = { branch: BRANCH_TEMPLATE, folder: TREES_FOLDER };

/** Reserved folders of git, the graph and the team. */
const TAKEN = /(?:^|\/)(?:\.git|\.workgraph|\.squad|\.teaparty|\.claude)(?:\/|$)/i;

/** Reason why a folder cannot hold worktrees, judged by its name; undefined if it can. */
export function folderFault(folder: string): string | undefined {
  const plain = path.posix.normalize(folder).replace(/(?<=.)\/$/, '');
  if (plain === TREES_FOLDER) return undefined;
  if (folder === '' || folder.length > 1_000 || /[\0-\x1f\x7f]/.test(folder)) return 'must be the path of a folder';
  if (/^~(?!\/.)/.test(plain)) return 'cannot be a home folder';
  if (plain === '.' || plain === '/' || /^\.\.(?:\/\.\.)*$/.test(plain))
    return 'must be a folder of its own, not one around the project';
  const taken = TAKEN.exec(plain)?.[0].replaceAll('/', '');
  return taken === undefined ? undefined : `cannot be in ${taken}`;
}

/** Whether a folder name points outside the project; then only a person on this machine may choose it. */
export function leadsOutside(folder: string): boolean {
  return path.posix.isAbsolute(folder) || folder.startsWith('~') || path.posix.normalize(folder).split('/')[0] === '..';
}
