import { shortRef } from '#core/worktrees/names.js';
import { refusalOf } from '#core/worktrees/refusal.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { inert } from '#kernel/text.js';
import type { Git, GitOutcome } from '#ports/git.js';

/** A worktree as git lists it. */
export interface Registered {
  readonly path: string;
  readonly branch?: string;
}

/** What an answer of git must be when there is no reason for it to refuse. */
export function must(outcome: GitOutcome, verb: string): string {
  if (outcome.code === 0) return outcome.text;
  throw refusalOf(verb, outcome.message);
}

/**
 * Refs and commits of one repository. Refs are named in full, and moved only from where they were seen. Where commits are compared, they are named
 * by their full ids, or by refs that are there.
 */
export class Refs {
  private readonly git: Git;
  private readonly top: string;

  constructor(git: Git, top: string) {
    this.git = git;
    this.top = top;
  }

  /** The commit a ref or another name of a commit stands for. */
  async commit(name: string): Promise<string | undefined> {
    return this.git.commit(this.top, name);
  }

  /** Is all of `older` in `newer`? What git cannot tell counts as no. */
  async contains(newer: string, older: string): Promise<boolean> {
    if (newer === older) return true;
    return (await this.git.tryOutput(this.top, ['merge-base', '--is-ancestor', older, newer])) !== undefined;
  }

  async mergeBase(left: string, right: string): Promise<string | undefined> {
    if (left === right) return left;
    return (await this.git.tryOutput(this.top, ['merge-base', left, right]))?.trim();
  }

  async count(from: string, to: string): Promise<number> {
    if (from === to) return 0;
    return Number(await this.git.output(this.top, ['rev-list', '--count', `${from}..${to}`, '--']));
  }

  /** Moves a ref if it is still where it was seen; `undefined` stands for nowhere. False when it is not. */
  async move(ref: string, to: string, expected: string | undefined): Promise<boolean> {
    const words = ['update-ref', '--no-deref', '-m', 'troupe', '--create-reflog', ref, to, expected ?? ''];
    const outcome = await this.git.run(this.top, words);
    if (outcome.code === 0) return true;
    if ((await this.commit(ref)) !== expected) return false;
    throw refusalOf(`update-ref ${shortRef(ref)}`, outcome.message);
  }

  async drop(ref: string, expected: string): Promise<void> {
    must(await this.git.run(this.top, ['update-ref', '--no-deref', '-d', ref, expected]), 'update-ref');
  }

  /** A branch that is only another name of a branch would lead our writes there. */
  async refuseAlias(ref: string): Promise<void> {
    if ((await this.git.tryOutput(this.top, ['symbolic-ref', '--quiet', ref])) === undefined) return;
    throw new TroupeError('unsafe_worktree', {
      what: `The branch ${inert(shortRef(ref))} is a symbolic ref: nothing was changed.`,
      hint: `Remove it with \`git symbolic-ref --delete ${inert(ref)}\`.`,
    });
  }

  async below(prefix: string): Promise<readonly { ref: string; commit: string }[]> {
    const format = '--format=%(refname)%00%(objectname)';
    const text = await this.git.output(this.top, ['for-each-ref', format, '--', prefix]);
    return text.split('\n').flatMap((line) => {
      const [ref, commit] = line.split('\0');
      return ref && commit ? [{ ref, commit }] : [];
    });
  }

  /** Local branches that hold a commit. */
  async branchesWith(commit: string): Promise<readonly string[]> {
    const words = ['for-each-ref', `--contains=${commit}`, '--format=%(refname)', '--', 'refs/heads/'];
    return (await this.git.output(this.top, words)).split('\n').filter((ref) => ref !== '');
  }

  async worktrees(): Promise<readonly Registered[]> {
    const text = await this.listing();
    return text.split('\0\0').flatMap((block) => {
      const lines = block.split('\0');
      const of = (key: string) => lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1);
      const [path, branch] = [of('worktree'), of('branch')];
      return path === undefined ? [] : [{ path, ...(branch === undefined ? {} : { branch }) }];
    });
  }

  /** git gives up on the list when it meets a worktree that somebody is just making; a moment later it is made. */
  private async listing(): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.git.output(this.top, ['worktree', 'list', '--porcelain', '-z']);
      } catch (error) {
        if (attempt === LIMITS.treeListTries) throw error;
        await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 10 * attempt));
      }
    }
  }
}

/** Where a branch is checked out, but for the folder that should have it. */
export function checkedOutAt(list: readonly Registered[], ref: string, but?: string): string | undefined {
  return list.find((tree) => tree.branch === ref && tree.path !== but)?.path;
}
