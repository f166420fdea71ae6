import type { GitPlace } from '#core/agency/remote-address.js';
import { shortRef } from '#core/runs/names.js';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { inert, inSentence } from '#kernel/text.js';
import type { Exchange } from '#ports/exchange.js';
import type { Git } from '#ports/git.js';
import type { Programs } from '#ports/programs.js';
import { reachRemote, receiverOf, senderOf, unreachable, wasMoved } from './reach.js';

interface Parts {
  readonly environment: NodeJS.ProcessEnv;
  readonly programs: Programs;
  readonly git: Git;
  /** Folder in this side's repository. */
  readonly folder: string;
  /** Repository that both sides can access. */
  readonly at: GitPlace;
}

/** Full ref without special meaning in refspecs and patterns. */
const PLAIN_REF = /^refs\/(?!.*(?:\.\.|\/\/|@\{))[^\0- :^~?*[\\\x7f]+$/;
const PLAIN_COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const FETCH = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance'];

/** Exchange through a repository that both sides can access, with unforced `git fetch` and `git push` of full refs. */
export class RemoteExchange implements Exchange {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  async follow(ref: string): Promise<string | undefined> {
    const { git, folder } = this.parts;
    const theirs = await this.tipOf(ref);
    if (theirs === undefined || (await this.holds(ref, theirs))) return theirs;
    // Fetching into a symbolic ref would move the branch it refers to.
    if ((await git.tryOutput(folder, ['symbolic-ref', '--quiet', ref])) !== undefined) {
      throw new TroupeError('unsafe_worktree', {
        what: `The branch ${inert(shortRef(ref))} is a symbolic ref: nothing was changed.`,
        hint: `Remove it with \`git symbolic-ref --delete ${inert(ref)}\`.`,
      });
    }
    const { text } = await this.fetch(`${ref}:${ref}`);
    if (await this.holds(ref, theirs)) return theirs; // even if a concurrent fetch went further
    if (/refusing to fetch into branch/.test(text)) {
      throw new TroupeError('branch_in_use', {
        what: `${inert(shortRef(ref))} is checked out in a worktree, so it cannot follow the remote.`,
      });
    }
    if ((await git.commit(folder, theirs)) === undefined) throw this.unreachable(text);
    throw new TroupeError('remote_went_back', {
      what: `${inert(shortRef(ref))} here and the one of the remote each hold commits that the other lacks.`,
      hint: `Compare them: \`git log --left-right ${inert(shortRef(ref))}...${theirs.slice(0, 12)}\`; then move one of them out of the way.`,
    });
  }

  async bring(commit: string, ref: string): Promise<void> {
    const { git, folder } = this.parts;
    const isHere = async () => (await git.commit(folder, plainCommit(commit))) === commit;
    if (await isHere()) return;
    const { ok, text } = await this.fetch(plainRef(ref));
    if (await isHere()) return;
    if (!ok && !/couldn't find remote ref/.test(text)) throw this.unreachable(text);
    throw new TroupeError('not_found', {
      what: `${inert(shortRef(ref))} of the remote does not hold ${commit.slice(0, 12)}: somebody else moved it.`,
      hint: 'Hand the work over again, or look for the commit where it was made.',
    });
  }

  async publish(ref: string, commit: string): Promise<boolean> {
    const { ok, text } = await this.push([], `${plainCommit(commit)}:${plainRef(ref)}`);
    if (ok) return true;
    if (!wasMoved(text)) throw this.unreachable(text);
    return (await this.tipOf(ref)) === commit; // another process may have published the same commit
  }

  async withdraw(ref: string, commit: string): Promise<void> {
    // The lease restricts the deletion to this commit, so nothing newer is lost.
    const lease = `--force-with-lease=${plainRef(ref)}:${plainCommit(commit)}`;
    const { ok, text } = await this.push([lease], `:${ref}`);
    if (!ok && !/\[(?:remote )?rejected\]/.test(text)) throw this.unreachable(text);
  }

  /** Commit of a ref on the remote; undefined if it does not exist. */
  private async tipOf(ref: string): Promise<string | undefined> {
    const { at } = this.parts;
    const words = ['ls-remote', '--quiet', ...senderOf(at), '--', at.address, plainRef(ref)];
    const { ok, text } = await this.reach(words, SURFACE_LIMITS.gitTimeoutMs);
    if (!ok) throw this.unreachable(text);
    const line = text.split('\n').find((one) => one.endsWith(`\t${ref}`));
    return line?.split('\t').find((part) => PLAIN_COMMIT.test(part));
  }

  /** Whether a local ref contains a commit. */
  private async holds(ref: string, commit: string): Promise<boolean> {
    const { git, folder } = this.parts;
    const own = await git.commit(folder, ref);
    if (own === undefined || own === commit) return own !== undefined;
    return (await git.tryOutput(folder, ['merge-base', '--is-ancestor', commit, own])) !== undefined;
  }

  private fetch(spec: string) {
    const { at } = this.parts;
    return this.reach([...FETCH, ...senderOf(at), '--', at.address, spec], SURFACE_LIMITS.gitCopyTimeoutMs);
  }

  private push(words: readonly string[], spec: string) {
    const { at } = this.parts;
    const push = ['push', '--quiet', '--no-verify', ...receiverOf(at), ...words];
    return this.reach([...push, '--', at.address, spec], SURFACE_LIMITS.gitCopyTimeoutMs);
  }

  private reach(words: readonly string[], timeMs: number) {
    return reachRemote(this.parts, this.parts.folder, this.parts.at, words, { timeMs });
  }

  private unreachable(why: string): TroupeError {
    const { at } = this.parts;
    const hint = `Check with \`git ls-remote ${inSentence(at.address)}\`: access must work without a password prompt.`;
    return unreachable(at, why, hint);
  }
}

/** Rejects ref names from other machines that are patterns, options or several names. */
function plainRef(ref: string): string {
  if (PLAIN_REF.test(ref)) return ref;
  throw new TroupeError('unsafe_worktree', { what: `${inSentence(ref)} cannot be the name of a branch.` });
}

function plainCommit(commit: string): string {
  if (PLAIN_COMMIT.test(commit)) return commit;
  throw new TroupeError('unsafe_worktree', { what: `${inSentence(commit)} is not the id of a commit.` });
}
