import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '#adapters/disk/safe-path.js';
import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import { folderNames, lookAt, type Place } from './place.js';

/** The files by which a work tree and its repository point at one another, `.git` and `gitdir`, are smaller. */
const POINTER_BYTES = 8 * 1024;

/** Absolute path of the folder in which git keeps what belongs to this work tree alone. `git_failed` where nothing there names one. */
export async function ownGitFolder(tree: string): Promise<string> {
  const at = path.join(tree, '.git');
  const folder = (await lookAt(at))?.isFile() ? await namedIn(tree) : at;
  const real = folder === undefined ? undefined : await realpath(folder).catch(() => undefined);
  if (real === undefined) throw new TroupeError('git_failed', { what: `${inert(tree)} is no work tree of git.` });
  return real;
}

/** The place where a worktree and the repository point at one another, or fail to. */
interface Pointers {
  /** Where git keeps what belongs to this worktree. */
  readonly gitFolder: string;
  /** The `.git` file that the repository believes to be the worktree's. */
  readonly back: string;
}

/**
 * Is this a worktree of this repository, and of no other? Whoever may write into a worktree may change its `.git` file; a
 * git started there would then work on another index and move another branch, the person's own perhaps.
 */
export async function isOwnTree(place: Place, tree: string): Promise<boolean> {
  return (await pointersOf(place, tree))?.back === path.join(tree, '.git');
}

/**
 * The worktrees that the repository knows of, wherever they lie and whether they are there or not, its own checkout left out. They are as git
 * wrote them: absolute, unless somebody asked for relative ones.
 */
export async function registeredPaths({ common }: Pick<Place, 'common'>): Promise<string[]> {
  const above = path.join(common, 'worktrees');
  const folders = await folderNames(above);
  const files = folders.map((folder) => path.join(above, folder, 'gitdir'));
  const named = await Promise.all(files.map(async (file) => [file, await smallText(file)] as const));
  return named.flatMap(([file, text]) => {
    const to = text?.replace(/\n$/, '') ?? '';
    return to === '' ? [] : [path.dirname(path.resolve(path.dirname(file), to))];
  });
}

/** True when the worktree was renamed from where it was made and the repository was not told. */
export async function isMovedTree(place: Place, tree: string, isBench: (name: string) => boolean): Promise<boolean> {
  const back = (await pointersOf(place, tree))?.back;
  const from = back === undefined ? undefined : path.dirname(back);
  return from !== undefined && path.dirname(from) === path.dirname(tree) && isBench(path.basename(from));
}

async function pointersOf(place: Place, tree: string): Promise<Pointers | undefined> {
  if (!(await lookAt(tree))?.isDirectory()) return undefined;
  const gitFolder = await namedIn(tree);
  if (gitFolder === undefined) return undefined;
  const above = await realpath(path.dirname(gitFolder)).catch(() => undefined);
  if (above !== path.join(place.common, 'worktrees') || !(await lookAt(gitFolder))?.isDirectory()) return undefined;
  const back = (await smallText(path.join(gitFolder, 'gitdir')))?.replace(/\n$/, '');
  return back === undefined ? undefined : { gitFolder, back: path.resolve(gitFolder, back) };
}

/** The git folder that the `.git` file of a work tree names. */
async function namedIn(tree: string): Promise<string | undefined> {
  const named = /^gitdir: (.+?)\n?$/s.exec((await smallText(path.join(tree, '.git'))) ?? '')?.[1];
  return named === undefined ? undefined : path.resolve(tree, named);
}

/** Undefined where there is none, also where it goes meanwhile: each merge removes the worktree that it was made in. */
async function smallText(file: string): Promise<string | undefined> {
  const stats = await lookAt(file);
  if (!stats?.isFile() || stats.size > POINTER_BYTES) return undefined;
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
