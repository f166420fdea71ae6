import { plural } from '#kernel/text.js';
import { shortRef } from './names.js';
import { describeDirty, type TreeState } from './state.js';

/** State of an attempt that determines what may be removed. */
export interface RetentionFacts {
  /** A run or a person still works on it, or a person has to look at it. */
  readonly inUse: boolean;
  /** Missing if only its branch is left. */
  readonly tree?: TreeState;
  /** The folder is not a worktree of this repository, or not that of the attempt. */
  readonly foreign: boolean;
  /** It contains fetched submodules, whose work cannot be judged from here. */
  readonly submodules: boolean;
  /** It was read-only: changes in it do not count. */
  readonly readOnly: boolean;
  /** Its results are never used: it was read-only or a trial. */
  readonly thrownAway: boolean;
  /** A permanent branch that contains its last commit. */
  readonly containedIn?: string;
  /** Its work was squashed into a new commit; its own commits are in no other branch. */
  readonly squashed: boolean;
  /** Number of commits that no permanent branch contains. */
  readonly ahead: number;
  /** Its own branch is kept, because of `merge_back = keep`. */
  readonly branchStays: boolean;
}

export type KeepReason = 'in-use' | 'foreign' | 'unfinished' | 'uncommitted' | 'submodules' | 'unmerged';

/**
 * `tree-and-branch`: both may be removed; `tree`: the branch stays and holds the work; `keep`: the reason why
 * everything stays.
 */
export type Retention =
  | { readonly remove: 'tree' | 'tree-and-branch'; readonly text: string }
  | { readonly keep: KeepReason; readonly text: string };

export const IN_USE = 'its task is still in progress or needs review';

/** Removes only what is clean and contained in a permanent branch. */
export function decideRetention(facts: RetentionFacts): Retention {
  const { tree } = facts;
  if (facts.inUse) return { keep: 'in-use', text: IN_USE };
  if (facts.foreign) return { keep: 'foreign', text: 'the folder is not the worktree of this attempt' };
  if (facts.readOnly) return { remove: 'tree-and-branch', text: 'it was read-only' };
  if (facts.thrownAway) return { remove: 'tree-and-branch', text: 'it was used for a trial, to be discarded' };
  if (tree?.unfinished) return { keep: 'unfinished', text: `a ${tree.unfinished} is in progress in it` };
  if (tree && !tree.clean) return { keep: 'uncommitted', text: describeDirty(tree) };
  if (facts.submodules) return { keep: 'submodules', text: 'submodules were fetched into it; they may hold work' };
  if (facts.containedIn !== undefined)
    return { remove: 'tree-and-branch', text: `its work is in ${shortRef(facts.containedIn)}` };
  if (facts.squashed) return { remove: 'tree', text: 'its work was squashed; the branch keeps the single commits' };
  if (facts.branchStays) return { remove: 'tree', text: 'its branch keeps the work' };
  return {
    keep: 'unmerged',
    text: `${plural(facts.ahead, 'commit')} of it ${facts.ahead === 1 ? 'is' : 'are'} in no other branch`,
  };
}
