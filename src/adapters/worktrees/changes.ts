import { parseNumstat } from '#core/worktrees/git-output.js';
import { INTEGRATION } from '#core/worktrees/names.js';
import type { TreeState } from '#core/worktrees/state.js';
import { LIMITS } from '#kernel/limits.js';
import type { AttemptChanges } from '#ports/worktrees.js';
import { statusOf } from './attempt-tree.js';
import { must } from './refs.js';
import type { Workbench } from './workbench.js';

/** What an attempt changed, committed or not, against the commit its work is measured against. */
export async function changesOf(
  { git, place, refs }: Workbench,
  branch: string,
  head: string,
  tree: TreeState | undefined,
): Promise<AttemptChanges> {
  const base = tree?.base ?? (await refs.mergeBase(head, INTEGRATION)) ?? head;
  const until = tree === undefined ? [base, head] : [base];
  const words = ['diff', '--numstat', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', ...until, '--'];
  const at = tree?.path ?? place.top;
  const untracked = tree === undefined ? [] : (await statusOf(git, tree.path)).untracked;
  return {
    ...(tree === undefined ? {} : { path: tree.path }),
    branch,
    base,
    head,
    ahead: await refs.count(base, head),
    changes: parseNumstat(must(await git.run(at, words), 'diff'), LIMITS.treeFiles),
    untracked: untracked.slice(0, LIMITS.treeFiles),
    untrackedTotal: untracked.length,
    clean: tree?.clean ?? true,
  };
}

/** The commits of a branch as a patch, cut to so many bytes; empty when there is no such branch, or too much to be told. */
export async function patchOf({ git, place, refs }: Workbench, branch: string, maxBytes: number): Promise<string> {
  const tip = await refs.commit(branch);
  const base = tip === undefined ? undefined : await refs.mergeBase(tip, INTEGRATION);
  if (tip === undefined || base === undefined) return '';
  const words = ['diff', '--no-color', '--no-renames', '--no-ext-diff', '--no-textconv', base, tip, '--'];
  const { text } = await git.run(place.top, words);
  return Buffer.from(text).subarray(0, maxBytes).toString('utf8');
}
