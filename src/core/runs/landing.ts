import { TroupeError } from '#kernel/errors.js';
import { cut, inert, plural } from '#kernel/text.js';
import type { Changes } from './git-output.js';
import { INTEGRATION, shortRef } from './names.js';
import { listFiles, type Unfinished } from './state.js';

/** Preview of a landing; changes nothing. */
export interface Landing {
  /** Short name of the branch that would move; missing if HEAD is detached. */
  readonly branch?: string;
  /** Commit of the branch. */
  readonly from: string;
  /** Commit of the integration branch; equal to `from` if it does not exist. */
  readonly to: string;
  /** Newest first; `commitTotal` counts all. */
  readonly commits: readonly { readonly commit: string; readonly subject: string }[];
  readonly commitTotal: number;
  /** Tasks with work in these commits. */
  readonly tasks: readonly string[];
  readonly changes: Changes;
  /** Relation of the integration branch to the person's branch. */
  readonly relation: Relation;
  /** Reason why the branch cannot move now: error code, text, hint, and a command that helps, if any. */
  readonly obstacle?: {
    readonly code: string;
    readonly text: string;
    readonly hint: string;
    readonly command: string | null;
  };
}

/** `ahead`: the integration branch contains the person's branch and more; only this can be landed. */
export type Relation = 'same' | 'ahead' | 'behind' | 'diverged';

export interface LandingFacts {
  readonly branch?: string;
  readonly relation: Relation;
  /** Tracked files that differ from the last commit, without Troupe's own. */
  readonly dirty: readonly string[];
  readonly unfinished?: Unfinished;
  /** Files to write that use a filter program from the person's configuration, which Troupe does not start. */
  readonly filtered: readonly string[];
}

/** Converts an error to the form shown in a preview. */
export function shownObstacle({ code, message, hint, command }: TroupeError): NonNullable<Landing['obstacle']> {
  return { code, text: message, hint, command: command ?? null };
}

/** Error that prevents landing now; undefined if landing is possible or there is nothing to land. */
export function landingObstacle(facts: LandingFacts): TroupeError | undefined {
  const integration = shortRef(INTEGRATION);
  if (facts.relation === 'same' || facts.relation === 'behind') return undefined;
  // First, since a rebase also detaches HEAD, and `git switch` refuses until it has ended.
  if (facts.unfinished !== undefined) {
    return new TroupeError('dirty_tree', {
      what: `A ${facts.unfinished} is in progress in your files.`,
      hint: `Finish it, or run \`git ${facts.unfinished} --abort\`; then land again.`,
    });
  }
  if (facts.branch === undefined) {
    return new TroupeError('detached_head', {
      hint: 'Switch to the branch to land on: `git switch NAME`.',
    });
  }
  const branch = cut(inert(facts.branch), 120);
  if (facts.relation === 'diverged') {
    const command = `git merge ${integration}`;
    return new TroupeError('diverged', {
      what: `${branch} has commits that ${integration} lacks, so it cannot be fast-forwarded.`,
      hint: `Run \`${command}\` yourself: that lands the work, and later work starts from there.`,
      details: { command },
    });
  }
  if (facts.dirty.length > 0) {
    const count = facts.dirty.length;
    return new TroupeError('dirty_tree', {
      what: `${plural(count, 'file')} of yours ${count === 1 ? 'is' : 'are'} not committed: ${listFiles(facts.dirty)}.`,
      hint: 'Commit or stash them, then land again.',
      details: { dirty: facts.dirty.slice(0, 100) },
    });
  }
  if (facts.filtered.length > 0) {
    const command = `git merge --ff-only ${integration}`;
    return new TroupeError('needs_filter', {
      what: `${plural(facts.filtered.length, 'file')} would pass through a filter of your git configuration, which Troupe does not start: ${listFiles(facts.filtered)}.`,
      hint: `Run \`${command}\` yourself.`,
      details: { command, files: facts.filtered.slice(0, 100) },
    });
  }
  return undefined;
}
