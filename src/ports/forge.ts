import type { ForgeIssue, ForgeName } from '#core/imports/forges.js';
import type { PullLook } from '#core/imports/pull-facts.js';

/** A repository at a forge. */
export interface ForgeRepository {
  /** No renaming changes it. */
  readonly id: string;
  /** `owner/name`, at GitLab with all groups. */
  readonly name: string;
  readonly url: string;
  /** Branch that pull requests are merged into. */
  readonly branch: string;
}

export interface ForgeComment {
  readonly id: string;
  readonly body: string;
  /** Written by the person whose program this is. */
  readonly isOwn: boolean;
}

export interface NewPull {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
}

/**
 * Issues and pull requests of one repository, through the installed program of the person (`gh`, `glab`), which has
 * their account. No text of a task becomes an argument of it. Errors: `forge_missing`, `forge_sign_in`, `forge_failed`.
 */
export interface Forge {
  readonly name: ForgeName;
  /** One exchange of this project at a time, also among processes. Errors: `locked`. */
  alone<Answer>(work: () => Promise<Answer>): Promise<Answer>;
  repository(): Promise<ForgeRepository>;
  /** Issues with this label, open and closed ones, the oldest first. Errors also: `too_large`. */
  issues(label: string): Promise<readonly ForgeIssue[]>;
  /** Undefined if there is no such issue, or if it has more comments than can be looked through. */
  comments(issue: number): Promise<readonly ForgeComment[] | undefined>;
  /** Writes a comment, or replaces the text of our own one; undefined if the issue or the comment is gone. */
  say(issue: number, body: string, comment?: string): Promise<string | undefined>;
  /** False if the issue is gone. */
  close(issue: number, state: 'open' | 'completed' | 'dropped'): Promise<boolean>;
  /** Publishes a commit as this branch, unforced; false if the branch there holds something else. */
  push(branch: string, commit: string): Promise<boolean>;
  /** The latest pull request of a branch, with its checks and remarks. */
  pull(branch: string): Promise<PullLook | undefined>;
  openPull(pull: NewPull): Promise<void>;
}
