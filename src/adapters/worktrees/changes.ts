import { parseNumstat } from '#core/worktrees/file-changes.js';
import { INTEGRATION } from '#core/worktrees/names.js';
import type { TreeState } from '#core/worktrees/tree-state.js';
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
