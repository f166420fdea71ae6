import { rm } from 'node:fs/promises';
import path from 'node:path';
import { HEAD_FIELD } from '#core/runs/commit-messages.js';
import { type Changes, parseNumstat, parseStatus, type StatusLines } from '#core/runs/git-output.js';
import { INTEGRATION } from '#core/runs/names.js';
import type { TreeState, Unfinished } from '#core/runs/state.js';
import { isRecent } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { GRAPH_FOLDER } from '#kernel/graph-folder.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import type { AttemptChanges } from '#ports/attempt-trees.js';
import type { Git } from '#ports/git.js';
import type { CommitChanges } from '#ports/integration.js';
import type { Processes } from '#ports/processes.js';
import { newFilesPatch } from './new-files.js';
import { lookAt } from './place.js';
import { ownGitFolder } from './pointers.js';
import { must } from './refs.js';
import type { Workbench } from './workshop.js';

/** Ref in each worktree: the commit that its work is compared with. Git removes it together with the worktree. */
export const BASE = 'refs/worktree/base';
/** Marks a read-only worktree. */
export const READ_ONLY = 'refs/worktree/read-only';
/** Marks the worktree of a trial, whose work is discarded. */
export const TRIAL = 'refs/worktree/trial';
/** Marks a worktree whose setup succeeded. */
export const SET_UP = 'refs/worktree/set-up';
const SUBMODULE_MODE = '160000';

const UNDER_WAY: Readonly<Record<string, Unfinished>> = {
  'rebase-merge': 'rebase',
  'rebase-apply': 'rebase',
  MERGE_HEAD: 'merge',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
};

/** Status of a worktree. Starts no program of the repository. */
export async function statusOf(git: Git, tree: string): Promise<StatusLines> {
  const words = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=normal', '--no-renames'];
  return parseStatus(must(await git.run(tree, [...words, '--ignore-submodules=dirty']), 'status'));
}

export async function unfinishedIn(gitFolder: string): Promise<Unfinished | undefined> {
  for (const [name, what] of Object.entries(UNDER_WAY)) {
    if ((await lookAt(path.join(gitFolder, name))) !== undefined) return what;
  }
  return undefined;
}

/** State of a worktree relative to its base or the one given; files with the path prefix `but` are ignored. */
export async function treeState(
  bench: Pick<Workbench, 'git' | 'refs'>,
  tree: string,
  against: { readonly base?: string | undefined; readonly but?: string } = {},
): Promise<TreeState> {
  const { git, refs } = bench;
  const lines = await statusOf(git, tree);
  const head = lines.head;
  if (head === undefined) throw new TroupeError('git_failed', { what: 'The worktree has no commit.' });
  const unfinished = await unfinishedIn(await ownGitFolder(tree));
  const base = against.base ?? (await marksOf(bench, tree)).base ?? (await refs.mergeBase(head, INTEGRATION)) ?? head;
  const { but } = against;
  const dirty = [...lines.tracked, ...lines.untracked].filter((file) => but === undefined || !file.startsWith(but));
  return {
    path: tree,
    ...(lines.branch === undefined ? {} : { branch: lines.branch }),
    head,
    base,
    ahead: await refs.count(base, head),
    clean: dirty.length === 0 && unfinished === undefined,
    dirty: dirty.slice(0, SURFACE_LIMITS.treeFiles),
    dirtyTotal: dirty.length,
    unmerged: lines.unmerged.slice(0, SURFACE_LIMITS.treeFiles),
    ...(unfinished === undefined ? {} : { unfinished }),
  };
}

/** Facts stored in the refs of a worktree. */
export interface RefMarks {
  /** Commit that its work is compared with. */
  readonly base: string | undefined;
  /** Whether it is read-only, so that changes in it are ignored. */
  readonly readOnly: boolean;
  /** Whether its changes are discarded. */
  readonly thrownAway: boolean;
  /** Whether its setup succeeded. */
  readonly setUp: boolean;
}

/** Marks of a folder that is not one of our worktrees. */
export const NO_MARKS: RefMarks = { base: undefined, readOnly: false, thrownAway: false, setUp: false };

/** Prefix by which other worktrees refer to this worktree's refs. */
const ownRefs = (gitFolder: string) => `worktrees/${path.basename(gitFolder)}`;

export async function marksOf({ refs }: Pick<Workbench, 'refs'>, tree: string): Promise<RefMarks> {
  const own = ownRefs(await ownGitFolder(tree));
  const [base, readOnly, trial, setUp] = await Promise.all(
    [BASE, READ_ONLY, TRIAL, SET_UP].map((ref) => refs.commit(`${own}/${ref}`)),
  );
  const isReadOnly = readOnly !== undefined;
  return { base, readOnly: isReadOnly, thrownAway: isReadOnly || trial !== undefined, setUp: setUp !== undefined };
}

/** Result of committing an attempt's uncommitted work. */
export interface UncommittedWork {
  readonly committed: boolean;
  /** Commit of the worktree afterwards; undefined if there is none. */
  readonly head: string | undefined;
  /** Branch checked out in the worktree, as a full ref; undefined if detached. */
  readonly branch: string | undefined;
  /** Skipped submodules and nested repositories, which hold their own work. */
  readonly leftOut: readonly string[];
  /** Reason why nothing could be committed. */
  readonly stuck?: string;
}

/** Commits all uncommitted changes of an attempt, including a merge that only lacks its commit. */
export async function commitLeftovers(
  { git, processes, below, refs }: Pick<Workbench, 'git' | 'processes' | 'below' | 'refs'>,
  tree: string,
  message: string,
): Promise<UncommittedWork> {
  const gitFolder = await ownGitFolder(tree);
  await clearLock(processes, path.join(gitFolder, 'index.lock'), gitFolder);
  const lines = await statusOf(git, tree);
  const { head, branch } = lines;
  const nothing: UncommittedWork = { committed: false, head, branch, leftOut: [] };
  const stuck = (text: string): UncommittedWork => ({ ...nothing, stuck: text });
  const unfinished = await unfinishedIn(gitFolder);
  if (lines.unmerged.length > 0) return stuck(`a ${unfinished ?? 'merge'} in it has conflicts`);
  if (unfinished !== undefined && unfinished !== 'merge') return stuck(`a ${unfinished} is in progress in it`);
  if (unfinished === undefined && lines.tracked.length + lines.untracked.length === 0) return nothing;
  const added = await git.run(tree, ['add', '--all', '--', '.']);
  if (added.code !== 0) return stuck(`its files cannot be added: ${added.message}`);
  const staged = await stagedIn(git, tree);
  const leftOut = staged.flatMap(({ name, isRepository }) => (isRepository ? [name] : []));
  const own = below === '' ? GRAPH_FOLDER : `${below}/${GRAPH_FOLDER}`;
  const isOurs = (name: string) => name === own || name.startsWith(`${own}/`);
  if (staged.some(({ name, isRepository }) => isRepository || isOurs(name)))
    await unstage(git, tree, [...leftOut, own]);
  if (staged.every(({ name, isRepository }) => isRepository || isOurs(name)) && unfinished === undefined)
    return { ...nothing, leftOut };
  const words = ['commit', '--quiet', '--no-verify', '--no-gpg-sign', '--allow-empty', '-m', message];
  must(await git.run(tree, words), 'commit');
  return { committed: true, head: await refs.commit(`${ownRefs(gitFolder)}/HEAD`), branch, leftOut };
}

/** Paths that differ between the index and HEAD. */
async function stagedIn(git: Git, tree: string): Promise<{ readonly name: string; readonly isRepository: boolean }[]> {
  const words = ['diff-index', '--cached', '--raw', '-z', '--no-renames', '--ignore-submodules=none', 'HEAD', '--'];
  const entries = must(await git.run(tree, words), 'diff-index').split('\0');
  const staged: { name: string; isRepository: boolean }[] = [];
  for (let index = 0; index + 1 < entries.length; index += 2) {
    const [before, after] = (entries[index] ?? '').slice(1).split(' ');
    const name = entries[index + 1];
    if (name !== undefined) staged.push({ name, isRepository: before === SUBMODULE_MODE || after === SUBMODULE_MODE });
  }
  return staged;
}

async function unstage(git: Git, tree: string, names: readonly string[]): Promise<void> {
  const words = ['reset', '--quiet', '--pathspec-from-file=-', '--pathspec-file-nul', 'HEAD'];
  must(await git.run(tree, words, { input: names.map((name) => `${name}\0`).join('') }), 'reset');
}

/** Removes the lock of a killed git, unless a process may still hold it. Errors: `locked`. */
async function clearLock(processes: Processes, lock: string, gitFolder: string): Promise<void> {
  const stats = await lookAt(lock);
  if (stats === undefined) return;
  const seesOpenFiles = process.platform === 'linux';
  const inUse = seesOpenFiles
    ? processes.holdingOpen('git', gitFolder).length > 0
    : isRecent(stats.mtimeMs, Date.now(), SURFACE_LIMITS.gitLockStaleMs);
  if (inUse) {
    throw new TroupeError('locked', { what: 'git is still running in the worktree.', details: { lock } });
  }
  await rm(lock, { force: true });
}

/** Part of an attempt's changes: since a commit instead of its base, of some files. */
interface Part {
  readonly since?: string | undefined;
  readonly paths?: readonly string[] | undefined;
}

/** Changes of an attempt relative to its base, or to the commit `since`; with `patchBytes` as a patch of that length too. */
export async function attemptChanges(
  bench: Workbench,
  branch: string,
  head: string,
  tree: TreeState | undefined,
  { since, paths, patchBytes }: Part & { readonly patchBytes?: number | undefined },
): Promise<AttemptChanges> {
  const { git, refs } = bench;
  const compared = await comparison(bench, head, tree, since);
  const { base, at, until } = compared;
  const untracked = await untrackedIn(git, tree);
  return {
    ...(tree === undefined ? {} : { path: tree.path }),
    branch,
    base,
    head,
    ahead: (since === undefined ? tree?.ahead : undefined) ?? (await refs.count(base, head)),
    changes: await changesBetween(git, at, until),
    untracked: untracked.slice(0, SURFACE_LIMITS.treeFiles),
    untrackedTotal: untracked.length,
    clean: tree?.clean ?? true,
    ...(patchBytes === undefined ? {} : { patch: await wholePatch(git, compared, untracked, patchBytes, paths) }),
  };
}

/** Paths of all changes of an attempt, without a limit. */
export async function changedPathsOf(
  bench: Workbench,
  head: string,
  tree: TreeState | undefined,
): Promise<readonly string[]> {
  const base = await notTakenFrom(bench, head, tree?.base);
  if (tree === undefined || tree.clean) return pathsListed(bench, tree?.path, [...NAMES, base, head, '--']);
  const changed = [
    ...(await pathsListed(bench, tree.path, [...NAMES, base, head, '--'])),
    ...(await pathsListed(bench, tree.path, [...NAMES, base, '--'])),
    ...(await pathsListed(bench, tree.path, ['ls-files', '-z', '--others', '--exclude-standard', '--'])),
  ];
  return [...new Set(changed)];
}

/** Paths of its committed changes. */
export async function committedPathsOf(
  bench: Workbench,
  head: string,
  base: string | undefined,
): Promise<readonly string[]> {
  return pathsListed(bench, undefined, [...NAMES, await notTakenFrom(bench, head, base), head, '--']);
}

/** Start of the commits not yet integrated: an attempt may have merged the work of others. */
async function notTakenFrom({ refs }: Workbench, head: string, base: string | undefined): Promise<string> {
  return (await refs.mergeBase(head, INTEGRATION)) ?? base ?? head;
}

async function pathsListed(
  { git, place }: Workbench,
  tree: string | undefined,
  words: readonly string[],
): Promise<string[]> {
  const text = must(await git.run(tree ?? place.top, words), words[0] ?? '');
  return text.split('\0').filter((file) => file !== '');
}

/** Changes of an attempt as a patch of at most `maxBytes`; new files that git does not know yet come last. */
export async function patchOf(
  bench: Workbench,
  head: string,
  tree: TreeState | undefined,
  maxBytes: number,
  { since, paths }: Part = {},
): Promise<string> {
  const compared = await comparison(bench, head, tree, since);
  return wholePatch(bench.git, compared, await untrackedIn(bench.git, tree), maxBytes, paths);
}

async function wholePatch(
  git: Git,
  { at, until }: Pick<Awaited<ReturnType<typeof comparison>>, 'at' | 'until'>,
  untracked: readonly string[],
  maxBytes: number,
  paths: readonly string[] = [],
): Promise<string> {
  const patch = await patchBetween(git, at, until, maxBytes, paths);
  const asked = paths.length === 0 ? untracked : untracked.filter((name) => paths.includes(name));
  return patch + (await newFilesPatch(at, asked, maxBytes - Buffer.byteLength(patch)));
}

/** Patch of a commit relative to its first parent. */
export async function commitPatch(
  bench: Workbench,
  name: string,
  maxBytes: number,
  paths: readonly string[] = [],
): Promise<string> {
  const range = await ownRange(bench, name);
  return range === undefined ? '' : await patchBetween(bench.git, bench.place.top, range, maxBytes, paths);
}

/** Files of a commit relative to its first parent. */
export async function commitChanges(bench: Workbench, name: string): Promise<CommitChanges | undefined> {
  const range = await ownRange(bench, name);
  if (range === undefined) return undefined;
  const [base, commit] = range;
  return { base, commit, changes: await changesBetween(bench.git, bench.place.top, range) };
}

/** The first parent of a commit, and the commit. */
async function ownRange({ refs }: Workbench, name: string): Promise<readonly [string, string] | undefined> {
  const commit = await refs.commit(name);
  const before = commit === undefined ? undefined : await refs.commit(`${commit}^1`);
  return commit === undefined || before === undefined ? undefined : [before, commit];
}

async function changesBetween(git: Git, at: string, range: readonly string[]): Promise<Changes> {
  const words = ['diff', '--numstat', '-z', '--find-renames', ...PLAIN_DIFF, ...range, '--'];
  return parseNumstat(must(await git.run(at, words), 'diff'), SURFACE_LIMITS.treeFiles);
}

/** The file summary comes first, so that truncation keeps it. */
async function patchBetween(
  git: Git,
  at: string,
  range: readonly string[],
  maxBytes: number,
  paths: readonly string[],
): Promise<string> {
  const words = ['diff', '--no-color', '--patch-with-stat', '--stat=100', '--find-renames', ...PREFIXES, ...PLAIN_DIFF];
  const { text } = await git.run(at, [...words, ...range, '--', ...paths]);
  return Buffer.from(text).subarray(0, maxBytes).toString('utf8');
}

/** Files that git neither knows nor ignores; empty without a worktree. */
async function untrackedIn(git: Git, tree: TreeState | undefined): Promise<readonly string[]> {
  if (tree === undefined || tree.dirtyTotal === 0) return [];
  const words = ['ls-files', '-z', '--others', '--exclude-standard', '--'];
  return must(await git.run(tree.path, words), 'ls-files')
    .split('\0')
    .filter((name) => name !== '');
}

/** Prefixes of the paths in a patch, which a repository may configure otherwise. */
const PREFIXES = ['--src-prefix=a/', '--dst-prefix=b/'];

/** Options that prevent git from running configured programs. */
const PLAIN_DIFF = ['--no-ext-diff', '--no-textconv'];
const NAMES = ['diff', '--name-only', '-z', '--no-renames', ...PLAIN_DIFF];

/** Directory and arguments for the comparison: the files as they are, or the last commit if only the branch is left. */
async function comparison({ place, refs }: Workbench, head: string, tree: TreeState | undefined, since?: string) {
  const base = since ?? tree?.base ?? (await refs.mergeBase(head, INTEGRATION)) ?? head;
  return { base, at: tree?.path ?? place.top, until: tree === undefined ? [base, head] : [base] };
}

/** Commit compared with the integration branch. `parted`: their merge base, undefined without common history. */
export interface Integrated {
  /** Commit of the integration branch. */
  readonly branch: string;
  readonly head: string;
  readonly parted: string | undefined;
}

export async function againstIntegration({ refs }: Workbench, branch: string, head: string): Promise<Integrated> {
  return { branch, head, parted: await refs.mergeBase(branch, head) };
}

/** Whether a commit is in the integration branch, itself or squashed. */
export async function isMerged(bench: Workbench, stand: Integrated): Promise<boolean> {
  return stand.parted === stand.head || (await wasSquashed(bench, stand));
}

/**
 * Whether a commit of the integration branch includes this one in squashed form. Reads only first-parent commits:
 * attempts control the messages of the merged ones.
 */
export async function wasSquashed({ refs }: Workbench, { branch, head, parted }: Integrated): Promise<boolean> {
  if (parted === undefined || parted === branch) return false;
  const words = [
    'log',
    '--first-parent',
    '-z',
    `--max-count=${SURFACE_LIMITS.historyCommits}`,
    `--format=${HEAD_FIELD}`,
  ];
  const text = await refs.between(parted, branch, words);
  return text.split('\0').some((field) => field.trim() === head);
}
