/**
 * Commits on their way between the repository in which attempts work and the one in which results gather. Refs are named in full, and
 * nothing is ever forced. Errors: `remote_unreachable`, `remote_went_back`, `not_found`, `branch_in_use`, `unsafe_worktree`, `git_missing`,
 * `git_failed`.
 */
export interface Exchange {
  /**
   * Makes a ref of this repository hold what the others have published under it, and answers their commit; undefined where they have none,
   * or none but this repository's own. `remote_went_back` where one holds what the other lacks, both ways.
   */
  follow(ref: string): Promise<string | undefined>;
  /** Makes a commit that was published under a ref one of this repository. `not_found` where the ref holds it no more. */
  bring(commit: string, ref: string): Promise<void>;
  /** Publishes a commit under a ref. False when the ref holds what the commit lacks: then nothing was changed. */
  publish(ref: string, commit: string): Promise<boolean>;
  /** Takes back what was published under a ref, unless it holds another commit by now or whoever keeps it does not let go of it. */
  withdraw(ref: string, commit: string): Promise<void>;
}
