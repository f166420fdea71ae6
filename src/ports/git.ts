/**
 * Git commands, isolated from the environment and the configuration of the repository: `GIT_*` variables removed;
 * hooks, fsmonitor and all remote protocols off; no optional locks; paths after `--`. Errors: `git_missing`,
 * `git_failed`.
 */
export interface Git {
  /** Runs git in `folder` and returns its output, decoded as UTF-8. Errors: `git_failed` if it exits non-zero. */
  output(folder: string, args: readonly string[], options?: { maxBytes?: number; timeoutMs?: number }): Promise<string>;
  /** As `output`, but returns undefined if git exits non-zero. */
  tryOutput(folder: string, args: readonly string[]): Promise<string | undefined>;
  /**
   * As `tryOutput`, for reads that name commits by full ids and nothing else: their short answers never change, so they
   * are kept. For what is shown; a decision that must hold at the moment asks git.
   */
  lasting(folder: string, args: readonly string[]): Promise<string | undefined>;
  /**
   * Runs commands that read the contents of files, or write files, refs or commits. Filters and merge drivers are
   * disabled as well, regardless of the configuration; nothing is signed; the author and committer of commits is
   * Troupe. Paths are literal. Returns a non-zero exit code instead of throwing.
   */
  run(folder: string, args: readonly string[], options?: { input?: string }): Promise<GitOutcome>;
  /**
   * Full id of the commit that a ref or other name resolves to, in the repository around a folder; undefined if there
   * is none.
   */
  commit(folder: string, name: string): Promise<string | undefined>;
  /**
   * Kind and top folder of the repository around a folder. Errors: `not_found`, `unreadable`, and `unsafe_path` if its
   * configuration places its files elsewhere.
   */
  describe(folder: string): Promise<RepositoryFacts>;
  /**
   * Clones the committed content of a local repository completely: copied objects, no remote commands, no hooks, no
   * submodules.
   */
  clone(from: string, to: string): Promise<void>;
  /**
   * Adds a worktree with a detached HEAD at the repository's HEAD or at `commit`; with `empty` without its files.
   * `folder` must not exist.
   */
  addWorktree(repository: string, folder: string, options?: { commit?: string; empty?: boolean }): Promise<void>;
  /** Removes a worktree of `addWorktree` with all its content, even if its creation was interrupted. Idempotent. */
  removeWorktree(repository: string, folder: string): Promise<void>;
}

export interface GitOutcome {
  /** Exit code; undefined if git was ended because it took too long or printed too much. */
  readonly code: number | undefined;
  readonly text: string;
  /** Error message of git; empty on success. */
  readonly message: string;
}

/**
 * `top`: absolute path of the top folder of the working tree, or of the repository if it is bare; for `none` the folder
 * asked for.
 */
export type RepositoryFacts =
  | { readonly kind: 'none'; readonly top: string }
  | { readonly kind: 'bare'; readonly top: string }
  | { readonly kind: 'empty'; readonly top: string }
  | {
      readonly kind: 'work-tree';
      readonly top: string;
      /** Absolute path of the git folder that all worktrees of the repository share. */
      readonly common: string;
      /** Full object id of HEAD. */
      readonly head: string;
    };
