/**
 * Transfers commits between the repository in which attempts work and the one in which results are merged. Refs are
 * full names, and updates are never forced. Errors: `remote_unreachable`, `remote_went_back`, `not_found`,
 * `branch_in_use`, `unsafe_worktree`, `git_missing`, `git_failed`.
 */
export interface Exchange {
  /**
   * Fast-forwards a ref of this repository to the one published by the other side, and returns the commit published
   * there; undefined if there is none, or if both sides are the same repository. Errors: `remote_went_back` if each
   * side has commits that the other lacks.
   */
  follow(ref: string): Promise<string | undefined>;
  /** Fetches a commit that was published under a ref. Errors: `not_found` if the ref no longer holds it. */
  bring(commit: string, ref: string): Promise<void>;
  /**
   * Publishes a commit under a ref. False, without a change, if the ref has commits that this one does not descend
   * from.
   */
  publish(ref: string, commit: string): Promise<boolean>;
  /**
   * Removes a published ref if it still holds this commit. Does nothing if it holds another one, or if the remote
   * rejects the deletion.
   */
  withdraw(ref: string, commit: string): Promise<void>;
}
