/**
 * Names of attempts in paths and refs, runs that get a worktree, worktrees that may be removed, obstacles to a landing.
 * @packageDocumentation
 */
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { cut, inert } from '#kernel/text.js';

/** Where merged results gather until a person lands them. */
export const INTEGRATION = 'refs/heads/wg/integration';
/** A branch of this name would leave git no room for ours. */
export const BLOCKING_BRANCH = 'refs/heads/wg';
const REMOVED = 'refs/wg/removed/';

const SLUG_CHARACTERS = 40;
const HASH_CHARACTERS = 12;
const ATTEMPT_MOST = 999_999_999;
/** `integration` is taken by our own branch; the others are devices on some systems, whatever follows their first dot. */
const RESERVED = /^(integration$|(con|prn|aux|nul|com\d|lpt\d)(\.|$))/;

/** How one attempt at one task is called, on disk and in git. */
export interface AttemptName {
  readonly slug: string;
  readonly attempt: number;
  /** Below the folder of all worktrees. */
  readonly folder: string;
}

/** The names of an attempt; `unsafe_worktree` when its number is none. */
export function attemptName(task: string, attempt: number): AttemptName {
  if (!Number.isSafeInteger(attempt) || attempt < 1 || attempt > ATTEMPT_MOST) {
    throw new TroupeError('unsafe_worktree', {
      what: `Not the number of an attempt: ${cut(inert(String(attempt)), 40)}`,
    });
  }
  return nameOf(taskSlug(task), attempt);
}

/**
 * What stands for a task in paths and refs. An id that is safe everywhere, also where case makes no difference, stands for
 * itself; any other is cleaned and gets a hash behind a `+`, which no id of the first kind can hold.
 */
export function taskSlug(task: string): string {
  const plain = /^[a-z0-9][a-z0-9._-]{0,99}$/.test(task) && !/\.\.|\.$|\.lock$/.test(task) && !RESERVED.test(task);
  if (plain) return task;
  const cleaned = task
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_CHARACTERS)
    .replace(/^-+|-+$/g, '');
  return `${cleaned || 'task'}+${sha256(task).slice(0, HASH_CHARACTERS)}`;
}

/** False when the id of the task can be told from its slug only by looking at all tasks. */
export function isPlainSlug(slug: string): boolean {
  return !slug.includes('+');
}

/** `build-2`; undefined for what no attempt is called. */
export function nameOfFolder(folder: string): AttemptName | undefined {
  const match = /^(.+)-(\d+)$/.exec(folder);
  return match?.[1] === undefined ? undefined : ownName(match[1], match[2] ?? '');
}

/** Where what was removed by force can still be found. */
export function removedRef(name: AttemptName, copy: number): string {
  return `${REMOVED}${name.slug}/${name.attempt}${copy === 1 ? '' : `-${copy}`}`;
}

/** As people and other git commands write it: `wg/build/2`. */
export function shortRef(ref: string): string {
  return ref.replace(/^refs\/heads\//, '');
}

/** Number of the attempt that a worktree with this branch was made for, under whatever template; undefined for any other branch. */
export function attemptOfBranch(branch: string): number | undefined {
  const [last = '', slug = '', ...folders] = branch.split('/').reverse();
  return folders.length === 0 ? undefined : ownName(slug, last.replace(/^[a-z][a-z._-]*/, ''))?.attempt;
}

/** Attempt with this slug and number as text; undefined where no attempt has such. */
export function ownName(slug: string, attempt: string): AttemptName | undefined {
  const ours = isPlainSlug(slug) ? taskSlug(slug) === slug : /^[a-z0-9][a-z0-9-]{0,39}\+[0-9a-f]{12}$/.test(slug);
  return ours && /^[1-9]\d{0,8}$/.test(attempt) ? nameOf(slug, Number(attempt)) : undefined;
}

function nameOf(slug: string, attempt: number): AttemptName {
  return { slug, attempt, folder: `${slug}-${attempt}` };
}
