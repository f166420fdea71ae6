import path from 'node:path';
import type { OutsideTraces } from '#core/graph/outside.js';
import { INTEGRATION, shortRef } from '#core/runs/names.js';
import { OUTSIDE_MARKS } from '#core/runs/outside-marks.js';
import { GRAPH_FOLDER } from '#kernel/graph-folder.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import type { OutsideActs } from '#ports/attempt-trees.js';
import { committedPathsOf, marksOf, statusOf } from './attempt-tree.js';
import type { PlacedAttempt } from './attempts.js';
import { folderNames } from './place.js';
import { isOwnTree, ownGitFolder } from './pointers.js';
import type { Workbench } from './workshop.js';

/** Data by which an attempt's actions outside its worktree can be recognised; undefined if it has no branch. */
export async function outsideActs({ refs, place }: Workbench, name: PlacedAttempt): Promise<OutsideActs | undefined> {
  const commit = await refs.commit(name.branch);
  if (commit === undefined) return undefined;
  const own = (await isOwnTree(place, name.tree)) ? name.tree : undefined;
  const base = own === undefined ? undefined : (await marksOf({ refs }, own)).base;
  const files = own === undefined ? [] : await folderNames(await ownGitFolder(own));
  const marked = (mark: string) =>
    files.flatMap((file) => (file.startsWith(`${mark}-`) ? [file.slice(mark.length + 1)] : []));
  return {
    branch: shortRef(name.branch),
    commit,
    ...(base === undefined ? {} : { base }),
    switched: marked(OUTSIDE_MARKS.switched),
    refused: marked(OUTSIDE_MARKS.refused),
  };
}

/** Work of a finished attempt found in the person's checkout without being landed; undefined if there is none. */
export async function outsideTraces(bench: Workbench, acts: OutsideActs): Promise<OutsideTraces | undefined> {
  const { refs, place, git } = bench;
  if ((await refs.commit(acts.commit)) === undefined) return undefined; // the worktree belongs to another repository
  const commits = await commitsInHead(bench, acts);
  const files = await filesLike(bench, acts);
  const stashes = await stashesOf(bench, acts);
  const checkout = path.basename(await ownGitFolder(place.top));
  const switched = acts.switched.includes(checkout);
  const unsettled = acts.refused.includes(checkout) ? await changedSince(bench) : [];
  if (commits.length + files.length + stashes.length + unsettled.length === 0 && !switched) return undefined;
  const oldest = commits.at(-1);
  const before = oldest === undefined ? undefined : await headBefore(bench, oldest);
  const branch = (await git.tryOutput(place.top, ['symbolic-ref', '--quiet', '--short', 'HEAD']))?.trim() ?? 'HEAD';
  return {
    from: acts.branch,
    branch,
    commits,
    ...(before === undefined ? {} : { before }),
    files,
    stashes,
    unsettled,
    switched,
  };
}

/** Commits of the attempt that are in HEAD but not in `wg/integration`, newest first. */
async function commitsInHead({ refs, git, place }: Workbench, { commit, base }: OutsideActs) {
  const shared = await refs.mergeBase('HEAD', commit);
  if (shared === undefined) return [];
  const without = [base, await refs.commit(INTEGRATION)].filter((one) => one !== undefined);
  if (without.includes(shared)) return [];
  const words = [
    'rev-list',
    '--topo-order',
    `--max-count=${SURFACE_LIMITS.treeFiles}`,
    shared,
    '--not',
    ...without,
    '--',
  ];
  return (await git.output(place.top, words)).split('\n').filter((line) => line !== '');
}

/** Latest commit on HEAD's first-parent line that does not contain this one. */
async function headBefore({ refs, git, place }: Workbench, commit: string): Promise<string | undefined> {
  const words = ['rev-list', '--first-parent', `--max-count=${SURFACE_LIMITS.treeFiles}`, 'HEAD', '--'];
  for (const candidate of (await git.output(place.top, words)).split('\n'))
    if (candidate !== '' && !(await refs.contains(candidate, commit))) return candidate;
  return undefined;
}

/** Changed files of the checkout whose content equals the attempt's. */
async function filesLike(bench: Workbench, { commit, base }: OutsideActs): Promise<string[]> {
  const { git, place } = bench;
  const { tracked, untracked } = await foreignStatus(bench);
  const differs = (file: string) =>
    tracked.includes(file) || untracked.some((one) => one === file || (one.endsWith('/') && file.startsWith(one)));
  if (tracked.length + untracked.length === 0) return [];
  const made = await committedPathsOf(bench, commit, base);
  const files: string[] = [];
  for (const file of made.filter(differs).slice(0, SURFACE_LIMITS.treeFiles)) {
    const theirs = await git.tryOutput(place.top, [
      'rev-parse',
      '--verify',
      '--quiet',
      '--end-of-options',
      `${commit}:${file}`,
    ]);
    const here = await git.tryOutput(place.top, ['hash-object', '--no-filters', '--', file]);
    if (theirs !== undefined && theirs === here) files.push(file);
  }
  return files;
}

/** Tracked files of the checkout that differ from HEAD, staged or not. */
async function changedSince(bench: Workbench): Promise<string[]> {
  return (await foreignStatus(bench)).tracked.slice(0, SURFACE_LIMITS.treeFiles);
}

/** Status of the checkout without Troupe's own files. */
async function foreignStatus({ git, place }: Workbench) {
  const { tracked, untracked } = await statusOf(git, place.top);
  const graph = `${place.below === '' ? '' : `${place.below}/`}${GRAPH_FOLDER}/`;
  const isForeign = (file: string) => !file.startsWith(graph);
  return { tracked: tracked.filter(isForeign), untracked: untracked.filter(isForeign) };
}

/** Stashes of a branch, which git names in the entry's subject. */
async function stashesOf({ git, place, refs }: Workbench, { branch }: OutsideActs): Promise<string[]> {
  if ((await refs.commit('refs/stash')) === undefined) return [];
  const words = ['log', '-g', '--format=%gs', `--max-count=${SURFACE_LIMITS.treeFiles}`, 'refs/stash', '--'];
  const subjects = ((await git.tryOutput(place.top, words)) ?? '').split('\n');
  const own = [`WIP on ${branch}:`, `On ${branch}:`];
  return subjects.flatMap((subject, at) => (own.some((start) => subject.startsWith(start)) ? [`stash@{${at}}`] : []));
}
