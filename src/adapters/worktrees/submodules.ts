import path from 'node:path';
import { plainFolder } from '#adapters/disk/plain-files.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { cut, inert, plural } from '#kernel/text.js';
import type { WorktreeGap } from '#ports/attempt-trees.js';
import type { Git } from '#ports/git.js';
import { statusOf } from './attempt-tree.js';
import { lookAt } from './place.js';
import type { Workbench } from './workshop.js';

interface Submodule {
  /** Path relative to the top of the containing repository. */
  readonly path: string;
  readonly commit: string;
}

/**
 * Clones the submodules of a worktree from the person's checkout, at the commit that the worktree requires. Uses no
 * network and leaves the repository's configuration unchanged. A submodule that is missing there, or lacks the commit,
 * stays empty; `gapsOf` reports it.
 */
export async function fillSubmodules({ git, place }: Workbench, tree: string): Promise<void> {
  await fill(git, place.top, tree, WORK_LIMITS.submoduleDepth);
}

async function fill(git: Git, from: string, tree: string, depth: number): Promise<void> {
  if (depth === 0) return;
  for (const { path: name, commit } of await submodulesOf(git, tree)) {
    const source = path.join(from, name);
    if (!(await isThere(from, name))) continue;
    const folder = await plainFolder(tree, ...name.split('/'));
    if ((await lookAt(path.join(folder, '.git'))) === undefined && (await has(git, source, commit))) {
      await git.clone(source, folder);
      await git.run(folder, ['checkout', '--quiet', '--detach', commit]);
    }
    await fill(git, source, folder, depth - 1);
  }
}

/** Submodules of the checked-out commit. A link or another file in place of one does not count. */
async function submodulesOf(git: Git, tree: string): Promise<Submodule[]> {
  if (!(await lookAt(path.join(tree, '.gitmodules')))?.isFile()) return [];
  const listed = await git.tryOutput(tree, ['ls-files', '--stage', '-z']);
  return (listed ?? '').split('\0').flatMap((entry) => {
    const [, commit, name] = /^160000 ([0-9a-f]{40,64}) 0\t(.+)$/s.exec(entry) ?? [];
    return commit === undefined || name === undefined ? [] : [{ path: name, commit }];
  });
}

/** Whether a submodule is checked out there, with no links in its path. */
async function isThere(top: string, name: string): Promise<boolean> {
  let current = top;
  for (const part of name.split('/')) {
    current = path.join(current, part);
    if (!(await lookAt(current))?.isDirectory()) return false;
  }
  return (await lookAt(path.join(current, '.git'))) !== undefined;
}

async function has(git: Git, repository: string, commit: string): Promise<boolean> {
  return (await git.tryOutput(repository, ['cat-file', '-e', `${commit}^{commit}`])) !== undefined;
}

/** Whether a worktree's submodule contains work that differs from its recorded commit. */
export async function holdsSubmoduleWork({ git }: Pick<Workbench, 'git'>, tree: string): Promise<boolean> {
  for (const { path: name, commit } of await submodulesOf(git, tree)) {
    if (!(await isThere(tree, name))) continue;
    const folder = path.join(tree, name);
    try {
      const { head, tracked, untracked } = await statusOf(git, folder);
      if (head !== commit || tracked.length + untracked.length > 0) return true;
      if (await holdsSubmoduleWork({ git }, folder)) return true;
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
      return true; // unreadable repositories are not discarded
    }
  }
  return false;
}

const FILES_NAMED = 5;

/** Submodules and files that new worktrees would lack. */
export async function gapsOf({ git, place }: Workbench): Promise<WorktreeGap[]> {
  const empty: string[] = [];
  for (const { path: name, commit } of await submodulesOf(git, place.top)) {
    const isFilled = (await isThere(place.top, name)) && (await has(git, path.join(place.top, name), commit));
    if (!isFilled) empty.push(name);
  }
  const stored = await largeFiles(git, place.top);
  const named = (names: readonly string[]) => {
    const first = names.slice(0, FILES_NAMED).map((name) => cut(inert(name), 80));
    return `${first.join(', ')}${names.length > FILES_NAMED ? ', …' : ''}`;
  };
  const gaps: WorktreeGap[] = [];
  if (empty.length > 0) {
    const text = `${plural(empty.length, 'submodule')} (${named(empty)}) ${empty.length === 1 ? 'is' : 'are'} empty in worktrees.`;
    gaps.push({ text, remedy: 'Run `git submodule update --init --recursive` in your checkout.' });
  }
  if (stored.length > 0) {
    const text = `${plural(stored.length, 'file')} of Git LFS (${named(stored)}) ${stored.length === 1 ? 'is a pointer' : 'are pointers'} in worktrees, without content.`;
    gaps.push({ text, remedy: 'A command that needs it runs in your checkout with `--in project`.' });
  }
  return gaps;
}

/** Files stored in Git LFS according to attributes. */
async function largeFiles(git: Git, top: string): Promise<string[]> {
  const listed = await git.tryOutput(top, ['ls-files', '-z', '--', ':(attr:filter=lfs)']);
  return (listed ?? '').split('\0').filter((name) => name !== '');
}
