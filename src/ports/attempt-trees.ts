import type { AttemptLabel } from '#core/runs/commit-messages.js';
import type { Changes } from '#core/runs/git-output.js';
import type { IsolationFacts, Workplace } from '#core/runs/isolation.js';
import type { KeepReason } from '#core/runs/retention.js';
import type { TreeState } from '#core/runs/state.js';

/**
 * A git worktree and a branch for each attempt at a task, on the machine where its run works: below
 * `.workgraph/worktrees` or in the folder that the settings name. Results are merged elsewhere (`Integration`), perhaps
 * in another repository: `publish` transfers work there, and `base` is the commit that an attempt gets from there. All
 * operations are idempotent; if one is killed, the next call completes or undoes it. Errors: `not_a_repository`,
 * `empty_repository`, `bare_repository`, `unsafe_worktree` (a link in the path, something else at its place, a hostile
 * name), `branch_in_use`, `locked` (another process changes the same branch), `git_missing`, `git_failed`, `read_only`,
 * `disk_full`; if results are merged in another repository also `remote_unreachable`, `remote_went_back`.
 */
export interface AttemptTrees {
  /** Working place of a run of this mode, decided by `worktree_isolation` and the kind of the repository. */
  workplace(facts: Omit<IsolationFacts, 'repository'>): Promise<Workplace>;
  /** Present or future location of an attempt's worktree. Creates nothing. */
  placeOf(attempt: AttemptKey): Promise<AttemptPlace>;
  /**
   * Creates the worktree of an attempt unless it exists, and returns it. It starts from the work on its own branch if
   * there is any; otherwise from the latest earlier attempt at the task that was not merged (uncommitted changes of
   * that attempt are first committed there, so its run must have ended; work that it published elsewhere is fetched);
   * with `fresh`, or without such an attempt, from `base`. Errors: `not_found` for a commit that is neither here nor
   * can be fetched.
   */
  create(request: AttemptRequest): Promise<AttemptTree>;
  /** Records that the setup succeeded; `create` then returns `isSetUp`. */
  markSetUp(attempt: AttemptKey): Promise<void>;
  /** Content that new worktrees would lack: submodules that are not initialised, content of Git LFS. */
  gaps(): Promise<readonly WorktreeGap[]>;
  /**
   * Rejects a folder for worktrees, given as in the setting. Creates nothing. Errors: `unsafe_worktree` with the
   * reason.
   */
  refuseFolder(folder: string): Promise<void>;
  /**
   * Whether a run can continue in the worktree of this attempt: it does not exist, so that it can be created, or it is
   * intact and read-only exactly if `readOnly` is true.
   */
  fits(attempt: AttemptKey, readOnly: boolean): Promise<boolean>;
  /** State of an attempt's worktree; undefined if it has none. */
  stateOf(attempt: AttemptKey): Promise<TreeState | undefined>;
  /** State of an attempt without a worktree here, read from its branch; undefined without a branch. */
  branchState(attempt: AttemptKey): Promise<TreeState | undefined>;
  /**
   * Fast-forwards the branch of an attempt that worked in another repository to the commit it published. Errors:
   * `not_found` if it was published under another branch, or is no longer there; `branch_in_use`; `remote_went_back` if
   * the branch here has commits that the published one lacks.
   */
  receive(attempt: AttemptKey, work: PublishedCommit): Promise<void>;
  /**
   * Commits all changes of an attempt to its own branch, except those below the project's `.workgraph`. Errors:
   * `not_found` without a worktree, or for a read-only one.
   */
  commit(attempt: AttemptKey, message: string): Promise<CommitResult>;
  /**
   * Commits the uncommitted changes of an attempt whose run has ended (except those below the project's `.workgraph`),
   * moves the branch to the commit of the worktree, and publishes it: after this call `Integration` can find its
   * commit. Errors: `not_found` without a branch.
   */
  publish(attempt: AttemptLabel): Promise<Publication>;
  /**
   * Publishes all work of an attempt whose run has ended, committed or not, under a ref of its own (`refs/wg/park/…`).
   * Its branch and worktree do not change. False if the attempt changed nothing. Errors: `remote_went_back` if the ref
   * was published with other work.
   */
  park(attempt: AttemptKey, ref: string): Promise<boolean>;
  /** Removes the worktree and branch of an attempt if no work is lost by that. */
  remove(request: RemovalRequest): Promise<Removal>;
  /** All attempts with a worktree or a branch, oldest first, and whether each could be removed. */
  list(): Promise<readonly ListedTree[]>;
  /** Numbers of the attempts at a task that still have a worktree or a branch, ascending. */
  attempts(task: string): Promise<readonly number[]>;
  /**
   * Reverts, with a commit on its branch, everything that an attempt whose run has ended changed outside one folder of
   * the project. Returns the reverted paths; empty if there are none, or if git cannot commit in the worktree.
   */
  keepOnly(attempt: AttemptKey, folder: string): Promise<readonly string[]>;
  /** Traces by which `Integration.outside` recognises an attempt whose run has ended; undefined without a branch. */
  acts(attempt: AttemptKey): Promise<OutsideActs | undefined>;
  /**
   * Paths that an attempt changed, committed or not, relative to the top of the repository; empty if nothing of the
   * attempt is left.
   */
  changedPaths(attempt: AttemptKey): Promise<readonly string[]>;
  /**
   * Changes of an attempt, committed or not, to be shown. Errors: `not_found` if it, or the attempt it is compared with,
   * has neither a worktree nor a branch.
   */
  changes(attempt: AttemptKey, selection?: ShownSelection): Promise<AttemptChanges>;
  /**
   * The changes of an attempt as a patch of at most `maxBytes`, new files last; empty if nothing of the attempt is
   * left.
   */
  patch(attempt: AttemptKey, maxBytes: number, selection?: ChangeSelection): Promise<string>;
}

/** Part of an attempt's changes. */
export interface ChangeSelection {
  /** Number of the attempt whose last commit it is compared with, instead of its base. */
  readonly since?: number | undefined;
  /** Only these files, by their paths relative to the top of the repository. */
  readonly paths?: readonly string[] | undefined;
}

/** Part of an attempt's changes, and whether its patch is wanted: at most so many bytes, of `paths` only. */
export interface ShownSelection extends ChangeSelection {
  readonly patchBytes?: number | undefined;
}

/** A sentence about content that worktrees lack, and one about the remedy. */
export interface WorktreeGap {
  readonly text: string;
  readonly remedy: string;
}

export interface AttemptKey {
  readonly task: string;
  readonly attempt: number;
}

export interface AttemptRequest extends AttemptKey {
  /** Commit that its changes are compared with: `Integration.base()`, or the commit to be tried or read. */
  readonly base: string;
  /** Branch under which `base` was published; `wg/integration` if undefined. */
  readonly publishedAs?: string;
  /** Ignore the work of earlier attempts. */
  readonly fresh?: boolean;
  /** Patterns of ignored files to copy from the person's checkout, in addition to those of `.worktreeinclude`. */
  readonly copy?: readonly string[];
  /** Ignore attempts with a lower number than this one. */
  readonly since?: number;
  /** For reading only: changes in it are never merged, and are removed with it. */
  readonly readOnly?: boolean;
  /** For trying something from `base`: it may be written to, but its content is removed with it. */
  readonly trial?: boolean;
}

/** Location of an attempt's worktree, whether it exists or not. */
export interface AttemptPlace {
  /** Top folder of the worktree. */
  readonly path: string;
  /** Folder of the project within the worktree: the working directory. */
  readonly folder: string;
  /** For example `wg/build/2`. */
  readonly branch: string;
}

/** Worktree of a run, and the permissions of the run there. */
export interface RunTree extends AttemptPlace {
  readonly attempt: number;
  readonly mode: IsolationFacts['mode'];
}

export interface AttemptTree extends AttemptPlace {
  /** Whether an earlier setup in it succeeded. */
  readonly isSetUp: boolean;
  /** Commit that its changes are compared with. */
  readonly base: string;
  /**
   * Commit that it started from; differs from `base` if a new worktree continues earlier work. For an existing worktree
   * it equals `base`.
   */
  readonly start: string;
}

/** A commit, and the branch under which it was published, for example `wg/build/2`. */
export interface PublishedCommit {
  readonly branch: string;
  readonly commit: string;
}

/** Published work of an attempt. Its commit contains all of it. */
export interface PublishedWork extends PublishedCommit {
  readonly outcome: 'published';
  /** Commit that its changes are compared with; undefined if there is no longer a worktree that records it. */
  readonly base?: string;
  /** Whether uncommitted changes were committed for it. */
  readonly committed: boolean;
  /** Nested repositories and submodules, which were not committed. */
  readonly leftOut: readonly string[];
}

/** Traces by which an attempt is recognised outside of its worktree. */
export interface OutsideActs {
  /** For example `wg/build/2`. */
  readonly branch: string;
  readonly commit: string;
  readonly base?: string;
  /** Names of the git folders of checkouts that it switched (`switched`), or was prevented from moving (`refused`). */
  readonly switched: readonly string[];
  readonly refused: readonly string[];
}

/**
 * `nothing`: the worktree was only for reading or trials, so none of its content is kept. `kept`: nothing was
 * published; `text` gives the reason.
 */
export type Publication =
  | PublishedWork
  | { readonly outcome: 'nothing'; readonly commit: string; readonly before: false }
  | { readonly outcome: 'kept'; readonly reason: 'unfinished' | 'moved'; readonly text: string };

export interface CommitResult {
  /** False if there was nothing to commit. */
  readonly committed: boolean;
  /** Present last commit of the attempt. */
  readonly commit: string;
  /** Nested repositories and submodules, whose changes are not committed. */
  readonly leftOut: readonly string[];
}

export interface RemovalRequest extends AttemptKey {
  /** A run or person still uses it: nothing is removed, not even with `force`. */
  readonly inUse?: boolean;
  /** Keep the branch, as `merge_back = keep` requires. */
  readonly branchStays?: boolean;
  /**
   * Also remove a dirty or unmerged one, unless it has submodules or nested repositories or is not this attempt's. Its
   * commits, and a commit of its uncommitted changes, stay under the ref returned as `savedAs`.
   */
  readonly force?: boolean;
  /** Called with the changed files of a read-only worktree before it is removed. */
  readonly discarding?: (files: readonly string[], total: number) => Promise<void>;
}

export type Removal =
  | { readonly removed: 'tree' | 'tree-and-branch'; readonly text: string; readonly savedAs?: string }
  | { readonly removed: 'nothing'; readonly reason: KeepReason | 'absent'; readonly text: string };

export interface ListedTree {
  readonly slug: string;
  readonly attempt: number;
  /** Undefined if only the branch is left. */
  readonly path?: string;
  /** Undefined if only a folder is left. */
  readonly branch?: string;
  readonly head?: string;
  readonly ahead: number;
  readonly dirty: number;
  /** Whether `remove` would remove it. Does not consider whether a run or person uses it. */
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
  /** First of the files that are not tracked. */
  readonly untracked: readonly string[];
  readonly untrackedTotal: number;
  readonly clean: boolean;
  /** As from `patch`, if it was wanted. */
  readonly patch?: string;
}
