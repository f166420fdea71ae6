import { TroupeError } from '#kernel/errors.js';
import { cut, inert, plural } from '#kernel/text.js';

/** Unfinished operations of git. */
export const UNFINISHED = ['merge', 'rebase', 'cherry-pick', 'revert'] as const;
export type Unfinished = (typeof UNFINISHED)[number];

/** State of a work tree. Paths are relative to its top. */
export interface TreeState {
  readonly path: string;
  /** Full ref of HEAD; missing if detached. */
  readonly branch?: string;
  readonly head: string;
  /** Commit that the work is compared with. */
  readonly base: string;
  /** Commits of HEAD that `base` lacks. */
  readonly ahead: number;
  /** No changed or untracked files and no unfinished operation. Ignored files do not count. */
  readonly clean: boolean;
  /** The first changed files; `dirtyTotal` counts all. */
  readonly dirty: readonly string[];
  readonly dirtyTotal: number;
  readonly unmerged: readonly string[];
  readonly unfinished?: Unfinished;
}

const FILES_NAMED = 3;

/** Check of `--require-commit`: there is a commit (`no_commit`) and no uncommitted change (`dirty_tree`). */
export function checkCommitted(task: string, state: Pick<TreeState, 'ahead' | 'clean' | 'dirty' | 'dirtyTotal'>): void {
  const id = cut(inert(task), 120);
  const details = { id: task.slice(0, 120), ahead: state.ahead, dirty: state.dirty };
  if (state.ahead === 0) {
    throw new TroupeError('no_commit', {
      what: `${id} requires a commit, and there is none since it started.`,
      details,
    });
  }
  if (!state.clean) {
    throw new TroupeError('dirty_tree', {
      what: `${id} requires a commit, and ${describeDirty(state)}.`,
      hint: `Commit or revert it, then run \`troupe done ${id}\` again.`,
      details,
    });
  }
}

/** `3 files are not committed: a, b, c`. */
export function describeDirty(state: Pick<TreeState, 'dirty' | 'dirtyTotal'>): string {
  const count = Math.max(state.dirtyTotal, state.dirty.length);
  if (count === 0) return 'a git operation is in progress in it';
  return `${plural(count, 'file')} ${count === 1 ? 'is' : 'are'} not committed: ${listFiles(state.dirty, count)}`;
}

/** The first file names, made inert, and the number of further ones. */
export function listFiles(files: readonly string[], total = files.length, named = FILES_NAMED): string {
  const more = total - Math.min(named, files.length);
  const names = files.slice(0, named).map((file) => cut(inert(file), 80));
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
