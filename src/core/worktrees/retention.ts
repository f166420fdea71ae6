import { plural } from '#kernel/text.js';
import { shortRef } from './names.js';
import { describeDirty, type TreeState } from './state.js';

/** What is known of an attempt before anything of it may go. */
export interface RetentionFacts {
  /** A run or a person is still at it, or somebody has to look at it. */
  readonly inUse: boolean;
  /** Absent when only its branch is left. */
  readonly tree?: TreeState;
  /** What lies there is no worktree of this repository, or not that of the attempt. */
  readonly foreign: boolean;
  /** Submodules were fetched into it: their own work cannot be judged from here. */
  readonly submodules: boolean;
  /** It was there to be read: what was changed in it counts for nothing. */
  readonly readOnly: boolean;
  /** Nothing that is made in it ever leaves it: it was to be read only, or something was tried in it. */
  readonly thrownAway: boolean;
  /** A branch that stays and holds its last commit. */
  readonly containedIn?: string;
  /** Its content was taken over as a new commit, so its own commits are in no other branch. */
  readonly squashed: boolean;
  /** Commits no branch that stays has. */
  readonly ahead: number;
  /** Its own branch is to stay, as `merge_back = keep` says. */
  readonly branchStays: boolean;
}

export type KeepReason = 'in-use' | 'foreign' | 'unfinished' | 'uncommitted' | 'submodules' | 'unmerged';

/** `branch`: the worktree and its branch may go; `tree`: the branch stays and holds the work; else why all stays. */
export type Retention =
  | { readonly remove: 'tree' | 'tree-and-branch'; readonly text: string }
  | { readonly keep: KeepReason; readonly text: string };

export const IN_USE = 'its task is still in progress or needs review';

/** Only what is clean and safe in a branch that stays may go. */
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
