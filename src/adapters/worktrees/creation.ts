import { rename } from 'node:fs/promises';
import path from 'node:path';
import { projectOfWorktrees } from '#adapters/disk/worktree-folder.js';
import { type AttemptLabel, leftoverMessage } from '#core/runs/commit-messages.js';
import { INTEGRATION, shortRef, taskSlug } from '#core/runs/names.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { inert, shellWord } from '#kernel/text.js';
import type { AttemptPlace, AttemptRequest, AttemptTree } from '#ports/attempt-trees.js';
import {
  againstIntegration,
  BASE,
  commitLeftovers,
  isMerged,
  marksOf,
  READ_ONLY,
  statusOf,
  TRIAL,
} from './attempt-tree.js';
import { attemptsWithBranch, type PlacedAttempt, placedAttempt } from './attempts.js';
import { copyIncluded } from './included-files.js';
import { lookAt, makeTrees, type Place } from './place.js';
import { isOwnTree } from './pointers.js';
import { bringEarlier } from './receive.js';
import { checkedOutAt, must, Refs } from './refs.js';
import { fillSubmodules } from './submodules.js';
import type { Workbench } from './workshop.js';

/** Creates or finds the worktree of an attempt. */
export async function createTree(bench: Workbench, request: AttemptRequest): Promise<AttemptTree> {
  const { git, place, refs, workshop } = bench;
  const name = await placedAttempt(bench, request);
  const { tree } = name;
  await makeTrees(place);
  await workshop.sweep();
  if ((await lookAt(tree)) !== undefined) return existing(bench, name);
  if ((await git.tryOutput(place.top, ['check-ref-format', name.branch])) === undefined) {
    throw new TroupeError('unsafe_worktree', {
      what: `git does not allow a branch called ${inert(shortRef(name.branch))}.`,
    });
  }
  await bringBase(bench, request);
  await bringEarlier(bench, request, name);
  await bench.templates.keep(request.base);
  await refs.refuseAlias(name.branch);
  const elsewhere = checkedOutAt(await refs.worktrees(), name.branch, tree);
  if (elsewhere !== undefined && !path.basename(elsewhere).startsWith('.bench-')) {
    const other = projectOfWorktrees(path.dirname(elsewhere));
    throw new TroupeError('branch_in_use', {
      what: `${inert(shortRef(name.branch))} is checked out in ${inert(elsewhere)}.`,
      ...(other === undefined
        ? {}
        : {
            hint: `The project ${inert(other)} works in the same repository, on a task of that name. Work in a clone here: \`git clone ${shellWord(other)} FOLDER\`.`,
          }),
    });
  }
  const tip = await refs.commit(name.branch);
  const start = request.trial ? request.base : await startOf(bench, request, tip);
  const base = (await refs.mergeBase(start, request.base)) ?? start;
  const workspace = await workshop.open(start, { empty: false, becomes: name.folder });
  try {
    if (tip !== start && !(await refs.move(name.branch, start, tip)) && (await refs.commit(name.branch)) !== start)
      throw new TroupeError('locked', { what: `${inert(shortRef(name.branch))} is being created by another process.` });
    const own = new Refs(git, workspace.path);
    await own.move(BASE, base, undefined);
    if (request.readOnly) await own.move(READ_ONLY, base, undefined);
    if (request.trial) await own.move(TRIAL, base, undefined);
    must(await git.run(workspace.path, ['symbolic-ref', '-m', 'troupe', 'HEAD', name.branch]), 'symbolic-ref');
    await copyIncluded(bench, workspace.path, request.copy ?? []);
    if (!(await renamed(workspace.path, tree))) return await existing(bench, name);
    await workshop.settle(tree);
  } finally {
    await workspace.close();
  }
  await fillSubmodules(bench, tree);
  return { ...described(bench.place, name), base, start, isSetUp: false };
}

/** Fetches an attempt's start commit and the integration branch if either is unknown here. Errors: `not_found`. */
async function bringBase({ refs, exchange }: Workbench, { base, publishedAs }: AttemptRequest): Promise<void> {
  const isKnown = async () => (await refs.commit(base)) !== undefined;
  if ((await isKnown()) && (await refs.commit(INTEGRATION)) !== undefined) return;
  await exchange.follow(INTEGRATION);
  if (await isKnown()) return;
  if (publishedAs !== undefined) await exchange.bring(base, `refs/heads/${publishedAs}`);
  if (await isKnown()) return;
  throw new TroupeError('not_found', { what: `The commit ${inert(base)} is not in this repository.` });
}

/** Start commit of an attempt: its own branch's, otherwise the work of an earlier attempt, otherwise the base. */
async function startOf(bench: Workbench, request: AttemptRequest, tip: string | undefined): Promise<string> {
  if (tip !== undefined && !(await bench.refs.contains(request.base, tip))) return tip;
  return (request.fresh ? undefined : await earlierWork(bench, request)) ?? request.base;
}

/** Whether an attempt can continue in this worktree. False if git cannot read it. */
export async function fits(bench: Workbench, name: PlacedAttempt, readOnly: boolean): Promise<boolean> {
  const { git, refs, place, workshop } = bench;
  const { tree } = name;
  if ((await lookAt(tree)) === undefined) return true;
  await workshop.settle(tree);
  if ((await refs.commit(name.branch)) === undefined || !(await isOwnTree(place, tree))) return false;
  try {
    await statusOf(git, tree);
  } catch (error) {
    if (isRefusal(error, 'git_failed')) return false;
    throw error;
  }
  return (await marksOf(bench, tree)).readOnly === readOnly;
}

/** Head of the newest earlier attempt whose work is not in the base, including its uncommitted work. */
async function earlierWork(bench: Workbench, request: AttemptRequest): Promise<string | undefined> {
  const { refs, place } = bench;
  const slug = taskSlug(request.task);
  const earlier = (await attemptsWithBranch(bench))
    .filter((name) => name.slug === slug && name.attempt < request.attempt && name.attempt >= (request.since ?? 1))
    .sort((left, right) => right.attempt - left.attempt);
  for (const { attempt } of earlier) {
    const name = await placedAttempt(bench, { task: request.task, attempt });
    const { tree } = name;
    if ((await isOwnTree(place, tree)) && (await marksOf(bench, tree)).thrownAway) continue;
    const registered = (await refs.worktrees()).find(({ path: at }) => at === tree);
    if (registered?.branch === name.branch && (await isOwnTree(place, tree))) {
      await keepLeftovers(bench, tree, { task: request.task, attempt: name.attempt });
    }
    const head = await refs.commit(name.branch);
    if (head !== undefined && !(await isMerged(bench, await againstIntegration(bench, request.base, head))))
      return head;
  }
  return undefined;
}

/** If git cannot read the worktree, only its committed work is continued. */
async function keepLeftovers(bench: Workbench, tree: string, attempted: AttemptLabel): Promise<void> {
  try {
    await commitLeftovers(bench, tree, leftoverMessage(attempted));
  } catch (error) {
    if (!(error instanceof TroupeError) || error.code !== 'git_failed') throw error;
  }
}

/** Returns the worktree that exists at this path. Errors: `unsafe_worktree` if it is not this attempt's. */
async function existing(bench: Workbench, name: PlacedAttempt): Promise<AttemptTree> {
  const { refs, place, workshop } = bench;
  const { tree } = name;
  await workshop.settle(tree);
  const branch = await refs.commit(name.branch);
  if (branch === undefined || !(await isOwnTree(place, tree))) {
    throw new TroupeError('unsafe_worktree', {
      what: `${inert(path.relative(place.project, tree))} exists, but is not the worktree of this attempt.`,
      hint: 'Move it away, then try again.',
    });
  }
  const { base = branch, setUp } = await marksOf(bench, tree);
  await fillSubmodules(bench, tree);
  return {
    ...described(bench.place, name),
    base,
    start: base,
    isSetUp: setUp,
  };
}

export function described(place: Place, { tree, branch }: PlacedAttempt): AttemptPlace {
  return { path: tree, folder: path.join(tree, place.below), branch: shortRef(branch) };
}

/** Returns false if another process was faster. */
async function renamed(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (['EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}
