/**
 * Questions and changes, asked of a git that cannot be led astray: `GIT_*` scrubbed, hooks, fsmonitor and every remote
 * protocol off, no optional locks, paths after `--`. Errors: `git_missing`, `git_failed`.
 */
export interface Git {
  /** Runs git in `folder` and returns what it printed, decoded as UTF-8. `git_failed` when it exits non-zero. */
  output(folder: string, args: readonly string[], options?: { maxBytes?: number; timeoutMs?: number }): Promise<string>;
  /** Like `output`, but answers undefined instead of failing when git exits non-zero. */
  tryOutput(folder: string, args: readonly string[]): Promise<string | undefined>;
  /**
   * For calls that look at the contents of files, or write files, refs or commits: filters and merge drivers are off too,
   * whoever configured them; nothing is signed; commits are ours, by name. Paths are literal. Never throws for an exit code.
   */
  run(folder: string, args: readonly string[], options?: { input?: string }): Promise<GitOutcome>;
  /** The full id of the commit that a ref or another name stands for, in the repository around a folder; undefined for none. */
  commit(folder: string, name: string): Promise<string | undefined>;
  /** What kind of repository a folder is, and its top. `unsafe_path` when its configuration points somewhere else. */
  describe(folder: string): Promise<RepositoryFacts>;
  /** A complete local clone of what is committed, objects copied, no remote commands, no hooks, no submodules. */
  clone(from: string, to: string): Promise<void>;
  /** A worktree with no branch, of HEAD or of the commit given; `empty` leaves out its files. `folder` must not exist yet. */
  addWorktree(repository: string, folder: string, options?: { commit?: string; empty?: boolean }): Promise<void>;
  /** Removes a worktree that `addWorktree` made, with whatever is in it, also when it was made only half. Safe twice. */
  removeWorktree(repository: string, folder: string): Promise<void>;
}

export interface GitOutcome {
  /** The exit code; undefined when it was ended for taking too long or printing too much. */
  readonly code: number | undefined;
  readonly text: string;
  /** What git said went wrong; empty when nothing did. */
  readonly message: string;
}

/** `top` is the absolute path of the top folder of the work tree, of the repository itself when it is bare. */
export type RepositoryFacts =
  | { readonly kind: 'none'; readonly top: string }
  | { readonly kind: 'bare'; readonly top: string }
  | { readonly kind: 'empty'; readonly top: string }
  | {
      readonly kind: 'work-tree';
      readonly top: string;
      /** The git folder that all worktrees of the repository share, absolute. */
      readonly common: string;
      /** Full object id of HEAD. */
      readonly head: string;
    };
