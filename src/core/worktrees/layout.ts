import path from 'node:path';
import { BRANCH_TEMPLATE } from './branch-template.js';
import { TREES_FOLDER } from './trees-folder.js';

/** Names and places of worktrees as the settings have them; attempts made under earlier settings keep theirs. */
export interface Layout {
  /** Template of branches: `wg/{task}/{attempt}`. */
  readonly branch: string;
  /** Folder that holds all worktrees: from the top of the project, absolute, or from the home with `~/`. */
  readonly folder: string;
}

export const DEFAULT_LAYOUT: Layout = { branch: BRANCH_TEMPLATE, folder: TREES_FOLDER };

/** Folders of git, of the graph and of the team, in which nothing else belongs. */
const TAKEN = /(?:^|\/)(?:\.git|\.workgraph|\.squad|\.teaparty|\.claude)(?:\/|$)/i;

/** Reason why worktrees cannot lie in a folder, as far as its name says; undefined where they can. */
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

/** Does a folder lead out of the project, by its name? Then only a person on this machine decides about it. */
export function leadsOutside(folder: string): boolean {
  return path.posix.isAbsolute(folder) || folder.startsWith('~') || path.posix.normalize(folder).split('/')[0] === '..';
}
