import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '#adapters/disk/safe-path.js';
import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import { folderNames, lookAt, type Place } from './place.js';

/** Upper bound in bytes for `.git` and `gitdir`, by which a worktree and its repository refer to each other. */
const POINTER_BYTES = 8 * 1024;

/** Absolute path of the worktree's private git folder. Errors: `git_failed` if there is none. */
export async function ownGitFolder(tree: string): Promise<string> {
  const at = path.join(tree, '.git');
  const folder = (await lookAt(at))?.isFile() ? await namedIn(tree) : at;
  const real = folder === undefined ? undefined : await realpath(folder).catch(() => undefined);
  if (real === undefined) throw new TroupeError('git_failed', { what: `${inert(tree)} is no work tree of git.` });
  return real;
}

/** References between a worktree and its repository. */
interface Pointers {
  /** Private git folder of the worktree. */
  readonly gitFolder: string;
  /** The worktree's `.git` file according to the repository. */
  readonly back: string;
}

/**
 * Whether this is a worktree of this repository and no other. Anyone who can write to a worktree can change its `.git`
 * file; git would then use another index and move another branch, perhaps the person's own.
 */
export async function isOwnTree(place: Place, tree: string): Promise<boolean> {
  return (await pointersOf(place, tree))?.back === path.join(tree, '.git');
}

/**
 * Paths of all worktrees registered in the repository except its main checkout, existing or not. As written by git:
 * absolute, unless relative ones were requested.
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

/** Whether the worktree was renamed from its bench without updating the repository. */
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

/** Git folder named by the worktree's `.git` file. */
async function namedIn(tree: string): Promise<string | undefined> {
  const named = /^gitdir: (.+?)\n?$/s.exec((await smallText(path.join(tree, '.git'))) ?? '')?.[1];
  return named === undefined ? undefined : path.resolve(tree, named);
}

/** Reads a small file; undefined if missing. It may vanish meanwhile, since each merge removes its worktree. */
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
