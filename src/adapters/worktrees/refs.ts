import { shortRef } from '#core/runs/names.js';
import { refusalOf } from '#core/runs/refusal.js';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { inert } from '#kernel/text.js';
import type { Git, GitOutcome } from '#ports/git.js';

const COMMIT_ID = /^[0-9a-f]{40,64}$/;

interface NamedCommit {
  /** Full name. */
  readonly ref: string;
  readonly commit: string;
}

/** Registered worktree. */
export interface Registered {
  readonly path: string;
  readonly branch?: string;
}

/**
 * Returns the output of a git command that should not fail. Errors: `git_failed`, or for a known message of git
 * `disk_full`, `read_only`, `branch_in_use`.
 */
export function must(outcome: GitOutcome, verb: string): string {
  if (outcome.code === 0) return outcome.text;
  throw refusalOf(verb, outcome.message);
}

/**
 * Refs and commits of one repository. Refs are full names and moved only if unchanged since they were read. Compared
 * commits are full ids or existing refs.
 */
export class Refs {
  /** Whether answers about commits may be kept, and branches are read once: for what is shown. */
  readonly isShown: boolean;
  private readonly git: Git;
  private readonly top: string;
  private heads: Promise<readonly NamedCommit[]> | undefined;

  constructor(git: Git, top: string, use?: 'shown') {
    this.git = git;
    this.top = top;
    this.isShown = use === 'shown';
  }

  /** Resolves a ref or another commit name; undefined if it does not exist. */
  async commit(name: string): Promise<string | undefined> {
    return this.git.commit(this.top, name);
  }

  /** Whether `older` is an ancestor of `newer`. False if git cannot tell. */
  async contains(newer: string, older: string): Promise<boolean> {
    if (newer === older) return true;
    if (this.lasts(newer, older)) return (await this.mergeBase(newer, older)) === older;
    return (await this.git.tryOutput(this.top, ['merge-base', '--is-ancestor', older, newer])) !== undefined;
  }

  async mergeBase(left: string, right: string): Promise<string | undefined> {
    if (left === right) return left;
    const words = ['merge-base', left, right];
    const base = this.lasts(left, right)
      ? await this.git.lasting(this.top, words)
      : await this.git.tryOutput(this.top, words);
    return base?.trim();
  }

  async count(from: string, to: string): Promise<number> {
    if (from === to) return 0;
    return Number(await this.between(from, to, ['rev-list', '--count']));
  }

  /** Output of a command about the commits that `to` has and `from` lacks. */
  async between(from: string, to: string, command: readonly string[]): Promise<string> {
    const words = [...command, `${from}..${to}`, '--'];
    const kept = this.lasts(from, to) ? await this.git.lasting(this.top, words) : undefined;
    return kept ?? (await this.git.output(this.top, words));
  }

  private lasts(...names: readonly string[]): boolean {
    return this.isShown && names.every((name) => COMMIT_ID.test(name));
  }

  /** Moves a ref if its present value is `expected` (undefined: it does not exist). Returns false otherwise. */
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

  /** Rejects a symbolic ref, which would redirect writes to another branch. Errors: `unsafe_worktree`. */
  async refuseAlias(ref: string): Promise<void> {
    if ((await this.git.tryOutput(this.top, ['symbolic-ref', '--quiet', ref])) === undefined) return;
    throw new TroupeError('unsafe_worktree', {
      what: `The branch ${inert(shortRef(ref))} is a symbolic ref: nothing was changed.`,
      hint: `Remove it with \`git symbolic-ref --delete ${inert(ref)}\`.`,
    });
  }

  async below(...prefixes: readonly string[]): Promise<readonly NamedCommit[]> {
    const format = '--format=%(refname)%00%(objectname)';
    const text = await this.git.output(this.top, ['for-each-ref', format, '--', ...prefixes]);
    return text.split('\n').flatMap((line) => {
      const [ref, commit] = line.split('\0');
      return ref && commit ? [{ ref, commit }] : [];
    });
  }

  /** Local branches that contain a commit. */
  async branchesWith(commit: string): Promise<readonly string[]> {
    const words = ['for-each-ref', `--contains=${commit}`, '--format=%(refname)', '--', 'refs/heads/'];
    return (await this.git.output(this.top, words)).split('\n').filter((ref) => ref !== '');
  }

  /** Whether none of these local branches contains a commit. False if there are too many to tell at once. */
  async isApart(commit: string, from: (ref: string) => boolean): Promise<boolean> {
    this.heads ??= this.below('refs/heads/');
    const tips = new Set((await this.heads).flatMap((head) => (from(head.ref) ? [head.commit] : [])));
    if (tips.size > SURFACE_LIMITS.gitTipsCompared) return false;
    const words = ['rev-list', '--max-count=1', commit, '--not', ...[...tips].sort(), '--'];
    return ((await this.git.lasting(this.top, words)) ?? '') !== '';
  }

  async worktrees(): Promise<readonly Registered[]> {
    const list = ['worktree', 'list', '--porcelain', '-z'];
    const text = await withTreeRetries(() => this.git.output(this.top, list));
    return text.split('\0\0').flatMap((block) => {
      const lines = block.split('\0');
      const of = (key: string) => lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1);
      const [path, branch] = [of('worktree'), of('branch')];
      return path === undefined ? [] : [{ path, ...(branch === undefined ? {} : { branch }) }];
    });
  }
}

/** Retries an operation that fails if git meets a worktree that is just being created. */
export async function withTreeRetries<Result>(step: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await step();
    } catch (error) {
      if (attempt === SURFACE_LIMITS.treeListTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * SURFACE_LIMITS.treeListPauseMs * attempt));
    }
  }
}

/** Worktree in which a branch is checked out, other than `but`. */
export function checkedOutAt(list: readonly Registered[], ref: string, but?: string): string | undefined {
  return list.find((tree) => tree.branch === ref && tree.path !== but)?.path;
}
