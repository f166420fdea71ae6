import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { type GitCall, runGit } from '#adapters/git/process.js';
import { type ReadDifference, readDifference } from '#core/squad/sync.js';
import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';

/** Repository and the project's location in it. */
export interface SquadPlace {
  readonly top: string;
  /** Project path relative to the top: empty, or ends with `/`. */
  readonly prefix: string;
  /** Undefined before the first commit. */
  readonly head?: string;
  readonly gitFolder: string;
  /** Null object id. */
  readonly zero: string;
}

/** Runs a git command; input and output bytes are latin1 strings. Errors: `git_failed`. */
export type SquadGit = (args: readonly string[], call?: GitCall) => Promise<string>;

/** Creates a function that runs git at the top of `place` with fixed options. Errors: `git_failed`. */
export function squadGit(base: NodeJS.ProcessEnv, place: SquadPlace, always: GitCall): SquadGit {
  return async (args, call = {}) => {
    const answer = await runGit(base, place.top, args, { bytes: true, literalPaths: true, ...always, ...call });
    if (!answer.ok) throw new TroupeError('git_failed', { what: `git ${args[0] ?? ''} failed.`, why: answer.message });
    return answer.text;
  };
}

/**
 * Fills an index with the tree of HEAD, but below `.squad/` with the files of the worktree: those tracked or staged,
 * and new ones that are not ignored.
 */
export async function fillIndex(git: SquadGit, place: SquadPlace, index: string): Promise<void> {
  const squad = `${place.prefix}.squad`;
  await git(place.head === undefined ? ['read-tree', '--empty'] : ['read-tree', place.head], { index });
  // Staged entries count too: an ignored file that was added, or one to be removed.
  const staged = (await git(['ls-files', '-z', '--stage', '-t', '--', squad])).split('\0').filter(Boolean);
  const old = (await git(['ls-files', '-z', '--', squad], { index })).split('\0').filter(Boolean);
  const entries = staged.map((line) => line.slice(2));
  await git(['update-index', '-z', '--replace', '--index-info'], {
    index,
    input: [...old.map((name) => `0 ${place.zero}\t${name}`), ...entries].map((line) => `${line}\0`).join(''),
  });
  const leftOut = new Set(staged.filter((line) => line.startsWith('S ')).map(nameOf));
  const listed = (await present(place))
    ? await git(['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', squad], { index })
    : await git(['ls-files', '-z', '--cached', '--', squad], { index });
  const names = listed.split('\0').filter((name) => name !== '' && !leftOut.has(name));
  const nested = names.find((name) => name.endsWith('/'));
  if (nested !== undefined) {
    throw new TroupeError('sync_unavailable', {
      what: `${inert(Buffer.from(nested, 'latin1').toString())} is a repository of its own.`,
      hint: 'Move it out of .squad.',
    });
  }
  await git(['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], {
    index,
    input: names.map((name) => `${name}\0`).join(''),
  });
}

/** Differences between an index and HEAD. */
export async function differenceOf(git: SquadGit, place: SquadPlace, index: string): Promise<ReadDifference> {
  const against = place.head ?? (await emptyTree(git));
  const words = ['diff-index', '--cached', '--raw', '-z', '--no-renames', '--full-index', '--ignore-submodules=none'];
  return readDifference(await git([...words, against, '--'], { index }), Buffer.from(place.prefix));
}

/** Empty tree, for comparison before the first commit. */
export async function emptyTree(git: SquadGit): Promise<string> {
  return (await git(['hash-object', '-t', 'tree', '--stdin'], { input: '' })).trim();
}

/** Rejects files with a configured filter: as it is not run, they would be wrong. Errors: `sync_unavailable`. */
export async function refuseFiltered(git: SquadGit, place: SquadPlace, paths: readonly Buffer[]): Promise<void> {
  const input = paths
    .map((name) => `${Buffer.concat([Buffer.from(place.prefix), name]).toString('latin1')}\0`)
    .join('');
  const answer = await git(['check-attr', '-z', '--stdin', 'filter'], { input });
  for (const [, name = '', value = ''] of answer.matchAll(/([^\0]*)\0filter\0([^\0]*)\0/g)) {
    if (['unspecified', 'unset', 'set'].includes(value)) continue;
    throw new TroupeError('sync_unavailable', {
      what: `${inert(Buffer.from(name, 'latin1').toString())} passes through the filter ${inert(value)}.`,
      hint: 'Commit it yourself: `git add .squad && git commit -- .squad`.',
    });
  }
}

const nameOf = (line: string): string => line.slice(line.indexOf('\t') + 1);

async function present({ top, prefix }: SquadPlace): Promise<boolean> {
  try {
    if ((await lstat(path.join(top, prefix, '.squad'))).isDirectory()) return true;
    throw new TroupeError('unsafe_path', { what: '.squad is not a folder.', hint: 'Put a folder in its place.' });
  } catch (error) {
    if (error instanceof TroupeError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw new TroupeError('unreadable', { what: '.squad cannot be accessed.', cause: error });
  }
}
