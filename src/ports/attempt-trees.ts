import type { AttemptLabel } from '#core/worktrees/commit-messages.js';
import type { Changes } from '#core/worktrees/git-output.js';
import type { IsolationFacts, Workplace } from '#core/worktrees/isolation.js';
import type { KeepReason } from '#core/worktrees/retention.js';
import type { TreeState } from '#core/worktrees/state.js';

/**
 * A git worktree and a branch for each attempt at a task, on the machine where its run works: below `.workgraph/worktrees` or where the
 * settings say. Results gather elsewhere (`Integration`), perhaps in another repository: `publish` hands work over, `base` is what an
 * attempt gets from there. Whatever is killed half-way is completed or put away by the next call; doing anything twice does it once.
 * Errors: `not_a_repository`, `empty_repository`, `bare_repository`, `unsafe_worktree` (a link in the path, something else in its place, a
 * hostile name), `branch_in_use`, `git_missing`, `git_failed`, `read_only`, `disk_full`; where results gather in another repository
 * also `remote_unreachable`, `remote_went_back`.
 */
export interface AttemptTrees {
  /** Where a run of this mode works, as `worktree_isolation` and the repository have it. */
  workplace(facts: Omit<IsolationFacts, 'repository'>): Promise<Workplace>;
  /** Where the worktree of an attempt is or would be. Nothing is made. */
  placeOf(attempt: AttemptKey): Promise<AttemptPlace>;
  /**
   * The worktree of an attempt, made when it is not there. It starts from the latest earlier attempt at the task that
   * was not merged (what that one left uncommitted is committed there first, so its run must be over; what it published elsewhere is
   * fetched), with `fresh` or without one from `base`. `not_found` for a commit that neither is here nor can be fetched.
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
  /** State of the worktree of an attempt; undefined when it has none. */
  stateOf(attempt: AttemptKey): Promise<TreeState | undefined>;
  /** State of an attempt that has no worktree here, as its branch has it; undefined without one. */
  branchState(attempt: AttemptKey): Promise<TreeState | undefined>;
  /**
   * Makes the branch of an attempt that worked in another repository hold what it published. `not_found` where it was published under
   * another branch, or is not there any more.
   */
  receive(attempt: AttemptKey, work: PublishedCommit): Promise<void>;
  /** Commits all that an attempt has changed, to its own branch. Nothing below the project's `.workgraph` is taken. */
  commit(attempt: AttemptKey, message: string): Promise<CommitResult>;
  /**
   * Commits to its own branch what an attempt whose run is over left uncommitted (nothing below the project's `.workgraph`), makes the
   * branch hold what its worktree holds, and hands it over: when this answers, its commit is where `Integration` finds it.
   */
  publish(attempt: AttemptLabel): Promise<Publication>;
  /**
   * Publishes everything that an attempt whose run is over has, committed or not, under a ref of its own (`refs/wg/park/…`); its branch and
   * worktree stay as they are. False where it has made nothing.
   */
  park(attempt: AttemptKey, ref: string): Promise<boolean>;
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
  /** What `Integration.outside` recognises an attempt by, whose run is over; undefined without a branch. */
  acts(attempt: AttemptKey): Promise<OutsideActs | undefined>;
  /** Every path an attempt changed, committed or not, from the top of the repository; none when nothing is left of it. */
  changedPaths(attempt: AttemptKey): Promise<readonly string[]>;
  /** What an attempt changed, committed or not. `not_found` when it has neither worktree nor branch. */
  changes(attempt: AttemptKey): Promise<AttemptChanges>;
  /** The same as a patch of at most `maxBytes`, without files that git does not know; empty when nothing is left. */
  patch(attempt: AttemptKey, maxBytes: number): Promise<string>;
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
  /** The commit that its work is measured against: `Integration.base()`, or what is tried or looked at. */
  readonly base: string;
  /** The branch under which `base` was published; without one it is looked for in `wg/integration`. */
  readonly publishedAs?: string;
  /** Leave earlier work aside. */
  readonly fresh?: boolean;
  /** Patterns of ignored files that are copied from the person's checkout, beside those of `.worktreeinclude`. */
  readonly copy?: readonly string[];
  /** Leave the work of attempts before this one aside. */
  readonly since?: number;
  /** It is there to be read: what is changed in it is never merged, and goes with it. */
  readonly readOnly?: boolean;
  /** It is there to try something from `base`: it may be written to, and what is made in it goes with it all the same. */
  readonly trial?: boolean;
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

/** A commit, and the branch under which it was published: `wg/build/2`. */
export interface PublishedCommit {
  readonly branch: string;
  readonly commit: string;
}

/** Work of an attempt that was handed over; its commit holds all of it. */
export interface PublishedWork extends PublishedCommit {
  readonly outcome: 'published';
  /** What it is measured against, as long as there is a worktree that says so. */
  readonly base?: string;
  /** Whether uncommitted work was committed for it. */
  readonly committed: boolean;
  /** Submodules and repositories in it, which were not committed. */
  readonly leftOut: readonly string[];
}

/** What an attempt is recognised by outside of its worktree. */
export interface OutsideActs {
  /** `wg/build/2` */
  readonly branch: string;
  readonly commit: string;
  readonly base?: string;
  /** Names of the git folders of checkouts that it switched, or was refused to move. */
  readonly switched: readonly string[];
  readonly refused: readonly string[];
}

/** `nothing`: none of it is kept. `kept`: everything stays as it is, `text` says why. */
export type Publication =
  | PublishedWork
  | { readonly outcome: 'nothing'; readonly commit: string; readonly before: false }
  | { readonly outcome: 'kept'; readonly reason: 'unfinished' | 'moved'; readonly text: string };

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
