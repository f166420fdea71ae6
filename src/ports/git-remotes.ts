import type { GitPlace } from '#core/agency/remote-address.js';

/** What stands in a folder of a commit. */
export interface TreeEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'repository';
  /** What git calls its content. */
  readonly object: string;
}

/** A commit as it was fetched; nothing of it is ever laid out as files. */
export interface GitSnapshot {
  readonly commit: string;
  /** What is directly in a folder, from the top of the commit; nothing where there is no such folder. */
  list(folder: string): Promise<readonly TreeEntry[]>;
  /** The texts of files, in the order asked for; the size of one with more than `most` bytes. */
  texts(objects: readonly string[], most: number): AsyncGenerator<string | number>;
}

/**
 * Repositories on other machines, and on this one. They are foreign: what they send is bounded in size and time, nothing of
 * theirs is run, and nobody is asked for a password. Errors: `remote_unreachable`, `too_large`, `git_missing`, `git_failed`.
 */
export interface GitRemotes {
  /** The newest commit of a branch, or of whatever branch they begin with; undefined when there is none. */
  snapshot(at: GitPlace, branch: string | undefined): Promise<GitSnapshot | undefined>;
  /** Is `earlier` among what the newest commit of a branch comes from? */
  holds(at: GitPlace, branch: string, earlier: string): Promise<boolean>;
  /**
   * One commit with these files on top of `base`, or the first of a branch, and its name; undefined when the branch has moved:
   * nothing was written then. Never forced. A text of undefined takes a file away.
   */
  push(
    at: GitPlace,
    branch: string,
    base: GitSnapshot | undefined,
    files: ReadonlyMap<string, string | undefined>,
    message: string,
  ): Promise<string | undefined>;
}
