import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { cut, inert } from '#kernel/text.js';

/** Branch that collects merged results until a person lands them. */
export const INTEGRATION = 'refs/heads/wg/integration';
/** A branch with this name prevents git from creating branches below it. */
export const BLOCKING_BRANCH = 'refs/heads/wg';
const REMOVED = 'refs/wg/removed/';

const SLUG_CHARACTERS = 40;
const HASH_CHARACTERS = 12;
const ATTEMPT_MOST = 999_999_999;
/** `integration` is Troupe's own branch; the others are device names on some systems, regardless of an extension. */
const RESERVED = /^(integration$|(con|prn|aux|nul|com\d|lpt\d)(\.|$))/;

/** Names of one attempt at one task, on disk and in git. */
export interface AttemptName {
  readonly slug: string;
  readonly attempt: number;
  /** Relative to the folder of all worktrees. */
  readonly folder: string;
}

/** Names of an attempt. Errors: `unsafe_worktree` for an invalid number. */
export function attemptName(task: string, attempt: number): AttemptName {
  if (!Number.isSafeInteger(attempt) || attempt < 1 || attempt > ATTEMPT_MOST) {
    throw new TroupeError('unsafe_worktree', {
      what: `Not the number of an attempt: ${cut(inert(String(attempt)), 40)}`,
    });
  }
  return nameOf(taskSlug(task), attempt);
}

/**
 * Name of a task in paths and refs. An id that is safe everywhere, even on case-insensitive file systems, is used
 * unchanged; any other is cleaned and gets a hash after a `+`, which no id of the first kind contains.
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

/** False if the id of a task can be found from its slug only by scanning all tasks. */
export function isPlainSlug(slug: string): boolean {
  return !slug.includes('+');
}

/** Parses a folder name such as `build-2`; undefined for any other name. */
export function nameOfFolder(folder: string): AttemptName | undefined {
  const [, slug, attempt = ''] = /^(.+)-(\d+)$/.exec(folder) ?? [];
  return slug === undefined ? undefined : ownName(slug, attempt);
}

/** Ref that keeps work removed by force. */
export function removedRef(name: AttemptName, copy: number): string {
  return `${REMOVED}${name.slug}/${name.attempt}${copy === 1 ? '' : `-${copy}`}`;
}

/** Short form used by people and git commands: `wg/build/2`. */
export function shortRef(ref: string): string {
  return ref.replace(/^refs\/heads\//, '');
}

/** Attempt number in a branch name, under any template; undefined for any other branch. */
export function attemptOfBranch(branch: string): number | undefined {
  const [last = '', slug = '', ...folders] = branch.split('/').reverse();
  return folders.length === 0 ? undefined : ownName(slug, last.replace(/^[a-z][a-z._-]*/, ''))?.attempt;
}

/** Attempt with this slug and number; undefined if either is invalid. */
export function ownName(slug: string, attempt: string): AttemptName | undefined {
  const ours = isPlainSlug(slug) ? taskSlug(slug) === slug : /^[a-z0-9][a-z0-9-]{0,39}\+[0-9a-f]{12}$/.test(slug);
  return ours && /^[1-9]\d{0,8}$/.test(attempt) ? nameOf(slug, Number(attempt)) : undefined;
}

function nameOf(slug: string, attempt: number): AttemptName {
  return { slug, attempt, folder: `${slug}-${attempt}` };
}
