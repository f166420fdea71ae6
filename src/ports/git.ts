/**
 * Read questions and detached worktrees, asked of a git that cannot be led astray: `GIT_*` scrubbed, hooks, fsmonitor,
 * filters and every remote protocol off, no optional locks, paths after `--`. Errors: `git_missing`, `git_failed`.
 */
export interface Git {
  /** Runs git in `folder` and returns what it printed, decoded as UTF-8. `git_failed` when it exits non-zero. */
  output(folder: string, args: readonly string[], options?: { maxBytes?: number; timeoutMs?: number }): Promise<string>;
  /** Like `output`, but answers undefined instead of failing when git exits non-zero. */
  tryOutput(folder: string, args: readonly string[]): Promise<string | undefined>;
  /** What kind of repository a folder is, and its top. `unsafe_path` when its configuration points somewhere else. */
  describe(folder: string): Promise<RepositoryFacts>;
  /** A complete local clone of what is committed, objects copied, no remote commands, no hooks, no submodules. */
  clone(from: string, to: string): Promise<void>;
  /** A worktree of HEAD with no branch. `folder` must not exist yet. */
  addWorktree(repository: string, folder: string): Promise<void>;
  /** Removes a worktree that `addWorktree` made, with whatever is in it. Safe twice. */
  removeWorktree(repository: string, folder: string): Promise<void>;
}

export interface RepositoryFacts {
  readonly kind: 'none' | 'bare' | 'empty' | 'work-tree';
  /** Absolute path of the top folder of the work tree (of the repository itself when bare). */
  readonly top: string;
  /** Full object id of HEAD, absent when empty. */
  readonly head?: string;
}
