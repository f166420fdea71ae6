import path from 'node:path';
import type { OutsideTraces } from '#core/graph/outside.js';
import { INTEGRATION, shortRef } from '#core/worktrees/names.js';
import { OUTSIDE_MARKS } from '#core/worktrees/outside-marks.js';
import { LIMITS } from '#kernel/limits.js';
import { changedPathsOf, marksOf, statusOf, treeState } from './attempt-tree.js';
import type { PlacedAttempt } from './attempts.js';
import { lookAt } from './place.js';
import { isOwnTree, ownGitFolder } from './pointers.js';
import type { Workbench } from './workshop.js';

/** What of the work of an attempt, whose run is over, stands in the person's checkout without having been landed; undefined for nothing. */
export async function outsideTraces(bench: Workbench, name: PlacedAttempt): Promise<OutsideTraces | undefined> {
  const { refs, place, git } = bench;
  const tip = await refs.commit(name.branch);
  if (tip === undefined) return undefined;
  const own = (await isOwnTree(place, name.tree)) ? name.tree : undefined;
  const base = own === undefined ? undefined : (await marksOf(bench, own)).base;
  const commits = await commitsInHead(bench, tip, base);
  const files = await filesLike(bench, tip, own);
  const stashes = await stashesOf(bench, name);
  const checkout = path.basename(await ownGitFolder(place.top));
  const isMarked = async (mark: string) =>
    own !== undefined && (await lookAt(path.join(await ownGitFolder(own), `${mark}-${checkout}`))) !== undefined;
  const switched = await isMarked(OUTSIDE_MARKS.switched);
  const unsettled = (await isMarked(OUTSIDE_MARKS.refused)) ? await changedSince(bench) : [];
  if (commits.length + files.length + stashes.length + unsettled.length === 0 && !switched) return undefined;
  const oldest = commits.at(-1);
  const before = oldest === undefined ? undefined : await headBefore(bench, oldest);
  const branch = (await git.tryOutput(place.top, ['symbolic-ref', '--quiet', '--short', 'HEAD']))?.trim() ?? 'HEAD';
  return {
    from: shortRef(name.branch),
    branch,
    commits,
    ...(before === undefined ? {} : { before }),
    files,
    stashes,
    unsettled,
    switched,
  };
}

/** Commits of the attempt that HEAD holds and `wg/integration` does not, the newest first. */
async function commitsInHead({ refs, git, place }: Workbench, tip: string, base: string | undefined) {
  const shared = await refs.mergeBase('HEAD', tip);
  if (shared === undefined) return [];
  const without = [base, await refs.commit(INTEGRATION)].filter((commit) => commit !== undefined);
  if (without.includes(shared)) return [];
  const words = ['rev-list', '--topo-order', `--max-count=${LIMITS.treeFiles}`, shared, '--not', ...without, '--'];
  return (await git.output(place.top, words)).split('\n').filter((line) => line !== '');
}

/** The last commit of HEAD's own line without this one. */
async function headBefore({ refs, git, place }: Workbench, commit: string): Promise<string | undefined> {
  const words = ['rev-list', '--first-parent', `--max-count=${LIMITS.treeFiles}`, 'HEAD', '--'];
  for (const candidate of (await git.output(place.top, words)).split('\n'))
    if (candidate !== '' && !(await refs.contains(candidate, commit))) return candidate;
  return undefined;
}

/** Files of the checkout that differ from HEAD and have the content that the attempt gave them. */
async function filesLike(bench: Workbench, tip: string, tree: string | undefined): Promise<string[]> {
  const { git, place } = bench;
  const { tracked, untracked } = await foreignStatus(bench);
  const differs = (file: string) =>
    tracked.includes(file) || untracked.some((one) => one === file || (one.endsWith('/') && file.startsWith(one)));
  if (tracked.length + untracked.length === 0) return [];
  const made = await changedPathsOf(bench, tip, tree === undefined ? undefined : await treeState(bench, tree));
  const files: string[] = [];
  for (const file of made.filter(differs).slice(0, LIMITS.treeFiles)) {
    const theirs = await git.tryOutput(place.top, [
      'rev-parse',
      '--verify',
      '--quiet',
      '--end-of-options',
      `${tip}:${file}`,
    ]);
    const here = await git.tryOutput(place.top, ['hash-object', '--no-filters', '--', file]);
    if (theirs !== undefined && theirs === here) files.push(file);
  }
  return files;
}

/** Tracked files of the checkout that differ from HEAD, in the index or beside it. */
async function changedSince(bench: Workbench): Promise<string[]> {
  return (await foreignStatus(bench)).tracked.slice(0, LIMITS.treeFiles);
}

/** The status of the checkout without our own files. */
async function foreignStatus({ git, place }: Workbench) {
  const { tracked, untracked } = await statusOf(git, place.top);
  const graph = `${place.below === '' ? '' : `${place.below}/`}.workgraph/`;
  const isForeign = (file: string) => !file.startsWith(graph);
  return { tracked: tracked.filter(isForeign), untracked: untracked.filter(isForeign) };
}

/** git names the branch in the entry's subject. */
async function stashesOf({ git, place, refs }: Workbench, { branch }: PlacedAttempt): Promise<string[]> {
  if ((await refs.commit('refs/stash')) === undefined) return [];
  const words = ['log', '-g', '--format=%gs', `--max-count=${LIMITS.treeFiles}`, 'refs/stash', '--'];
  const subjects = ((await git.tryOutput(place.top, words)) ?? '').split('\n');
  const own = [`WIP on ${shortRef(branch)}:`, `On ${shortRef(branch)}:`];
  return subjects.flatMap((subject, at) => (own.some((start) => subject.startsWith(start)) ? [`stash@{${at}}`] : []));
}
