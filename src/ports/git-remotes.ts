import type { GitPlace } from '#core/agency/remote-address.js';

/** Entry of a folder in a commit. */
export interface TreeEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'repository';
  /** Git object id of its content. */
  readonly object: string;
}

/** A fetched commit. Its files are never checked out. */
export interface GitSnapshot {
  readonly commit: string;
  /** Entries directly in a folder, given relative to the top of the commit; empty if it does not exist. */
  list(folder: string): Promise<readonly TreeEntry[]>;
  /** Texts of files, in the order requested; the size instead of the text of a file with more than `most` bytes. */
  texts(objects: readonly string[], most: number): AsyncGenerator<string | number>;
}

/**
 * Repositories on this machine or others. They are untrusted: the size and duration of transfers are bounded, none of
 * their code is run, and passwords are never prompted for. Errors: `remote_unreachable`, `too_large`, `git_missing`,
 * `git_failed`.
 */
export interface GitRemotes {
  /** Latest commit of a branch, or of the default branch if undefined; undefined if there is none. */
  snapshot(at: GitPlace, branch: string | undefined): Promise<GitSnapshot | undefined>;
  /** Whether `earlier` is an ancestor of the latest commit of a branch, within its last 10,000 commits. */
  holds(at: GitPlace, branch: string, earlier: string): Promise<boolean>;
  /**
   * Pushes one commit with these files on top of `base`, or as the first commit of a branch, and returns its id;
   * undefined, without a change, if the branch has moved. Never forces. An undefined text deletes the file.
   */
  push(
    at: GitPlace,
    branch: string,
    base: GitSnapshot | undefined,
    files: ReadonlyMap<string, string | undefined>,
    message: string,
  ): Promise<string | undefined>;
}
