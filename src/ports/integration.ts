import type { OutsideTraces } from '#core/graph/outside.js';
import type { AttemptLabel } from '#core/worktrees/commit-messages.js';
import type { Landing } from '#core/worktrees/landing.js';
import type { TreeState } from '#core/worktrees/state.js';
import type { OutsideActs, PublishedWork } from './attempt-trees.js';

/**
 * The branch `wg/integration`, in which results gather beside the person's checkout until they are landed. Their own files, index, HEAD
 * and branch are never touched but by `land`. Where attempts work, `AttemptTrees` knows. Whatever is killed half-way is completed or put
 * away by the next call; doing anything twice does it once. Errors: those of `AttemptTrees`.
 */
export interface Integration {
  /**
   * The commit that attempts start from. The branch is made from the person's HEAD and follows it while it holds nothing that HEAD
   * lacks; when this answers, `AttemptTrees` can fetch it.
   */
  base(): Promise<string>;
  /** Every path that published work changes of what was taken before, from the top of the repository. */
  publishedPaths(work: PublishedWork): Promise<readonly string[]>;
  /** Takes work that was published into the branch. Nothing below the project's `.workgraph` is taken. A conflict changes nothing. */
  take(work: PublishedWork, request: TakeRequest): Promise<TakeOutcome>;
  /** The text of a file as the branch has it, by its path from the top of the project; undefined where it has none, or one over `maxBytes`. */
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
  /** State of the person's own files, against their HEAD at a moment (milliseconds). What is below `.workgraph` is left out. */
  ownState(since: number): Promise<TreeState>;
  /** What an attempt, whose run is over, left in the person's checkout; undefined for nothing. */
  outside(acts: OutsideActs): Promise<OutsideTraces | undefined>;
}

export type MergeHow = 'merge' | 'squash' | 'keep';

export interface TakeRequest extends AttemptLabel {
  readonly how: MergeHow;
}

/**
 * `nothing`: it holds no work; with `before` it was taken over before. `kept`: everything stays as it is, `text` says why. `leftOut` names
 * what was not taken: what its publication left out, and files below `.workgraph`.
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
