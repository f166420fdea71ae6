import type { OutsideTraces } from '#core/graph/outside.js';
import type { AttemptLabel } from '#core/runs/commit-messages.js';
import type { Changes } from '#core/runs/git-output.js';
import type { Landing } from '#core/runs/landing.js';
import type { TreeState } from '#core/runs/state.js';
import type { OutsideActs, PublishedWork } from './attempt-trees.js';

/**
 * The branch `wg/integration`, in which results are merged beside the person's checkout until they are landed. Only
 * `land` touches the person's files, index, HEAD and branch. The places where attempts work are those of
 * `AttemptTrees`. All operations are idempotent; if one is killed, the next call completes or undoes it. Errors: those
 * of `AttemptTrees`.
 */
export interface Integration {
  /**
   * Commit that attempts start from. The branch is created from the person's HEAD and follows it as long as HEAD
   * contains all of it. Once this resolves, `AttemptTrees` can fetch the commit.
   */
  base(): Promise<string>;
  /** Paths, relative to the top of the repository, that published work changes compared with work taken before. */
  publishedPaths(work: PublishedWork): Promise<readonly string[]>;
  /**
   * Merges published work into the branch, except files below the project's `.workgraph`. A conflict changes nothing.
   * Errors: `branch_in_use` if a worktree has checked out `wg/integration`, `locked` if it keeps moving.
   */
  take(work: PublishedWork, request: TakeRequest): Promise<TakeOutcome>;
  /**
   * Text of a file of the branch, by its path relative to the top of the project; undefined if it does not exist or has
   * more than `maxBytes`.
   */
  integratedText(file: string, maxBytes: number): Promise<string | undefined>;
  /**
   * Patch of a commit against its first parent, of all files or of these `paths`, preceded by one line per file; empty
   * if there is no such commit.
   */
  patchOf(commit: string, maxBytes: number, paths?: readonly string[]): Promise<string>;
  /** Files that a commit changes compared with its first parent; undefined if there is no such commit. */
  changesOf(commit: string): Promise<CommitChanges | undefined>;
  /** Number of commits that wait to be landed; 0, without calling git, if there has never been a worktree. */
  waiting(): Promise<number>;
  /** Work on the branch that the person's branch lacks: the latest of each task, in the order in which it was merged. */
  unlanded(): Promise<readonly UnlandedWork[]>;
  /** Preview of `land`. */
  landing(): Promise<Landing>;
  /**
   * Fast-forwards the person's branch and files to `to`, the commit of `wg/integration` they were shown; an interrupted
   * landing is completed by the next. Errors: `landing_changed` if `wg/integration` has moved since; otherwise the
   * obstacle reported by `landing`: `detached_head`, `dirty_tree`, `diverged`, `needs_filter`; `locked` while another
   * git process uses the files.
   */
  land(to: string): Promise<Landing>;
  /**
   * Changes in the person's own files compared with their HEAD at a moment (milliseconds), without those below
   * `.workgraph`.
   */
  ownState(since: number): Promise<TreeState>;
  /** Traces that an attempt whose run has ended left in the person's checkout; undefined if there are none. */
  outside(acts: OutsideActs): Promise<OutsideTraces | undefined>;
}

export interface CommitChanges {
  /** Its first parent. */
  readonly base: string;
  readonly commit: string;
  readonly changes: Changes;
}

/** Merged work of a task; `head` is the last commit of its attempt. */
export interface UnlandedWork {
  readonly task: string;
  readonly head: string;
}

export type MergeMode = 'merge' | 'squash' | 'keep';

export interface TakeRequest extends AttemptLabel {
  readonly how: MergeMode;
}

/**
 * `nothing`: there is no work; `before` if it was merged earlier. `kept`: nothing was changed; `text` gives the reason.
 * `leftOut`: paths that were not merged, because publication left them out or because they are below `.workgraph`.
 */
export type TakeOutcome =
  | {
      readonly outcome: 'merged';
      readonly commit: string;
      readonly committed: boolean;
      readonly leftOut: readonly string[];
    }
  | { readonly outcome: 'nothing'; readonly commit: string; readonly before: boolean }
  | { readonly outcome: 'conflict'; readonly files: readonly string[]; readonly reason: string }
  | { readonly outcome: 'kept'; readonly reason: 'asked' | 'unrelated'; readonly text: string };
