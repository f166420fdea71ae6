/** What of `.squad/` is not as the last commit has it. */
export interface SyncStatus {
  readonly changes: readonly { readonly path: string; readonly kind: 'added' | 'modified' | 'deleted' }[];
  /** Names exactly these changes; empty when there are none. */
  readonly hash: string;
}

/**
 * `.squad/` and git: what is changed there, and a commit of that and of nothing else. Looking leaves the repository as it
 * is. Errors of all: `sync_unavailable` (no repository, or something is open in it), `git_missing`, `git_failed`.
 */
export interface SquadSync {
  status(): Promise<SyncStatus>;
  /** The same as a patch to read, cut to a bound. */
  difference(): Promise<{ readonly text: string; readonly cut: boolean }>;
  /**
   * Commits what `expected` names, as the person and with the hooks of the repository. What is staged elsewhere stays staged.
   * Errors: `nothing_to_sync`, `sync_state_changed` (it is no longer what was looked at, or a hook changed it).
   */
  commit(expected: string, message: string): Promise<SyncStatus & { readonly commit: string }>;
}
