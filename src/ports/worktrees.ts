import type { OutsideTraces } from '#core/graph/outside.js';
import type { AttemptLabel } from '#core/worktrees/commit-messages.js';
import type { Changes } from '#core/worktrees/git-output.js';
import type { IsolationFacts, Workplace } from '#core/worktrees/isolation.js';
import type { Landing } from '#core/worktrees/landing.js';
import type { KeepReason } from '#core/worktrees/retention.js';
import type { TreeState } from '#core/worktrees/state.js';

/**
 * A git worktree for each attempt at a task, below `.workgraph/worktrees` or where the settings say, and the branch `wg/integration` in which
 * results gather. The person's own files, index, HEAD and branch are never touched but by `land`. Whatever is killed
 * half-way is completed or put away by the next call; doing anything twice does it once. Errors: `not_a_repository`,
 * `empty_repository`, `bare_repository`, `unsafe_worktree` (a link in the path, something else in its place, a hostile
 * name), `branch_in_use`, `git_missing`, `git_failed`, `read_only`, `disk_full`.
 */
export interface Worktrees {
  /** Where a run of this mode works, as `worktree_isolation` and the repository have it. */
  workplace(facts: Omit<IsolationFacts, 'repository'>): Promise<Workplace>;
  /** Where the worktree of an attempt is or would be. Nothing is made. */
  placeOf(attempt: AttemptKey): Promise<AttemptPlace>;
  /**
   * The worktree of an attempt, made when it is not there. It starts from the latest earlier attempt at the task that
   * was not merged (what that one left uncommitted is committed there first, so its run must be over), with `fresh` or
   * without one from the integration branch, which is made from the person's HEAD and follows it while nothing waits to
   * be landed. With `from` it starts there, and nothing of it is ever merged: `not_found` for a commit that is not there.
   */
  create(request: AttemptRequest): Promise<AttemptTree>;
  /** Its setup ran to a good end: `create` says so from now on. */
  markSetUp(attempt: AttemptKey): Promise<void>;
  /** What worktrees made now would lack: submodules that are not filled, content of Git LFS. */
  gaps(): Promise<readonly WorktreeGap[]>;
  /** Refuses a folder for worktrees, as the setting names it: `unsafe_worktree` with the reason. Nothing is made. */
  refuseFolder(folder: string): Promise<void>;
  /**
   * Can an attempt go on in the worktree of another: is it whole, or gone so that it can be made again, and meant to be read
   * only or not, as this one is?
   */
  fits(attempt: AttemptKey, readOnly: boolean): Promise<boolean>;
  /** How a worktree of ours stands. `not_found` when there is none at this path. */
  state(path: string): Promise<TreeState>;
  /** How the worktree of an attempt stands; undefined when it has none. */
  stateOf(attempt: AttemptKey): Promise<TreeState | undefined>;
  /** The same of the person's own files, against their HEAD at a moment (milliseconds). What is below `.workgraph` is left out. */
  ownState(since: number): Promise<TreeState>;
  /** Commits all that an attempt has changed, to its own branch. Nothing below the project's `.workgraph` is taken. */
  commit(attempt: AttemptKey, message: string): Promise<CommitResult>;
  /**
   * Takes the work of an attempt whose run is over into the integration branch. What it left uncommitted is committed
   * first, to its own branch. Nothing below the project's `.workgraph` is taken. A conflict changes nothing but that.
   */
  mergeBack(request: MergeRequest): Promise<MergeOutcome>;
  /** Takes away worktree and branch of an attempt if nothing can be lost by that. */
  remove(request: RemovalRequest): Promise<Removal>;
  /** Every attempt that has a worktree or a branch, oldest first, and whether it could be removed. */
  list(): Promise<readonly ListedTree[]>;
  /** Numbers of the attempts at a task of which something is left, rising. */
  attempts(task: string): Promise<readonly number[]>;
  /**
   * Puts back, by a commit on its branch, what an attempt whose run is over changed outside of one folder of the project; answers these
   * paths.
   */
  keepOnly(attempt: AttemptKey, folder: string): Promise<readonly string[]>;
  /** What an attempt, whose run is over, left in the person's checkout; undefined for nothing. */
  outside(attempt: AttemptKey): Promise<OutsideTraces | undefined>;
  /** Every path an attempt changed, committed or not, from the top of the repository; none when nothing is left of it. */
  changedPaths(attempt: AttemptKey): Promise<readonly string[]>;
  /** What an attempt changed, committed or not. `not_found` when it has neither worktree nor branch. */
  changes(attempt: AttemptKey): Promise<AttemptChanges>;
  /** The same as a patch of at most `maxBytes`, without files that git does not know; empty when nothing is left. */
  patch(attempt: AttemptKey, maxBytes: number): Promise<string>;
  /** The text of a file as `wg/integration` has it, by its path from the top of the project; undefined where it has none, or one over `maxBytes`. */
  integratedText(file: string, maxBytes: number): Promise<string | undefined>;
  /** The patch of one commit against its first parent, with a line a file before it; empty when there is no such commit. */
  patchOf(commit: string, maxBytes: number): Promise<string>;
  /** Commits that wait to be landed; 0 without asking git where there never was a worktree. */
  waiting(): Promise<number>;
  /** What `land` would bring to the person's branch. */
  landing(): Promise<Landing>;
  /**
   * Moves the person's branch and files forward to `to`, the commit they were shown; `landing_changed` when it is another
   * one by now. Else the obstacle that `landing` names: `detached_head`, `dirty_tree`, `diverged`, `needs_filter`.
   */
  land(to: string): Promise<Landing>;
}

/** A sentence about what is not in worktrees, and one about what helps. */
export interface WorktreeGap {
  readonly text: string;
  readonly remedy: string;
}

export interface AttemptKey {
  readonly task: string;
  readonly attempt: number;
}

export interface AttemptRequest extends AttemptKey {
  /** Leave earlier work aside. */
  readonly fresh?: boolean;
  /** Patterns of ignored files that are copied from the person's checkout, beside those of `.worktreeinclude`. */
  readonly copy?: readonly string[];
  /** Leave the work of attempts before this one aside. */
  readonly since?: number;
  /** It is there to be read: what is changed in it is never merged, and goes with it. */
  readonly readOnly?: boolean;
  /** The commit it starts from, to try something: it may be written to, and what is made in it goes with it all the same. */
  readonly from?: string | undefined;
}

/** Where an attempt works, whether that is there or not. */
export interface AttemptPlace {
  /** Top of the worktree. */
  readonly path: string;
  /** Where the project lies in it: the folder to work in. */
  readonly folder: string;
  /** `wg/build/2` */
  readonly branch: string;
}

/** The worktree that a run gets, and how much it may do there. */
export interface RunTree extends AttemptPlace {
  readonly attempt: number;
  readonly mode: IsolationFacts['mode'];
}

export interface AttemptTree extends AttemptPlace {
  /** Its setup ran to a good end before. */
  readonly isSetUp: boolean;
  /** Commit its work is measured against. */
  readonly base: string;
  /** Commit it started at; differs from `base` when it goes on from earlier work. */
  readonly start: string;
}

export type MergeHow = 'merge' | 'squash' | 'keep';

export interface MergeRequest extends AttemptKey, AttemptLabel {
  readonly how: MergeHow;
}

/**
 * `nothing`: it holds no work, or none that is kept; with `before` it was taken over before. `kept`: everything stays as it is, `text` says why. `committed`
 * tells that uncommitted work was committed; `leftOut` names what was not taken: files below `.workgraph`, and
 * submodules or repositories that were not committed.
 */
export type MergeOutcome =
  | {
      readonly outcome: 'merged';
      readonly commit: string;
      readonly committed: boolean;
      readonly leftOut: readonly string[];
    }
  | { readonly outcome: 'nothing'; readonly commit: string; readonly before: boolean }
  | { readonly outcome: 'conflict'; readonly files: readonly string[]; readonly reason: string }
  | {
      readonly outcome: 'kept';
      readonly reason: 'asked' | 'unfinished' | 'moved' | 'unrelated';
      readonly text: string;
    };

export interface CommitResult {
  /** False: there was nothing to be committed. */
  readonly committed: boolean;
  /** The last commit of the attempt now. */
  readonly commit: string;
  /** Submodules and repositories in it: their work is their own. */
  readonly leftOut: readonly string[];
}

export interface RemovalRequest extends AttemptKey {
  /** Somebody is still at it: nothing is removed, not even by force. */
  readonly inUse?: boolean;
  /** The branch is to stay, as `merge_back = keep` says. */
  readonly branchStays?: boolean;
  /** Also what is dirty or unmerged. Its commits, and one of what was not committed, stay under the ref answered. */
  readonly force?: boolean;
  /** Told of what was changed in a worktree that was there to be read, before it goes. */
  readonly discarding?: (files: readonly string[], total: number) => Promise<void>;
}

export type Removal =
  | { readonly removed: 'tree' | 'tree-and-branch'; readonly text: string; readonly savedAs?: string }
  | { readonly removed: 'nothing'; readonly reason: KeepReason | 'absent'; readonly text: string };

export interface ListedTree {
  readonly slug: string;
  readonly attempt: number;
  /** Absent when only the branch is left. */
  readonly path?: string;
  /** Absent when only a folder is left. */
  readonly branch?: string;
  readonly head?: string;
  readonly ahead: number;
  readonly dirty: number;
  /** What `remove` would do, and why; who is at it is not known here. */
  readonly removable: boolean;
  readonly reason?: KeepReason;
  readonly text: string;
}

export interface AttemptChanges {
  readonly path?: string;
  readonly branch: string;
  readonly base: string;
  readonly head: string;
  readonly ahead: number;
  readonly changes: Changes;
  /** Files git does not know yet; the first of them. */
  readonly untracked: readonly string[];
  readonly untrackedTotal: number;
  readonly clean: boolean;
}
