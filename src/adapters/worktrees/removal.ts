import { leftoverMessage } from '#core/runs/commit-messages.js';
import { type AttemptName, removedRef, shortRef } from '#core/runs/names.js';
import { decideRetention } from '#core/runs/retention.js';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import type { Removal, RemovalRequest } from '#ports/attempt-trees.js';
import { attemptChanges, commitLeftovers } from './attempt-tree.js';
import { type PlacedAttempt, placedAttempt } from './attempts.js';
import { integratedSoFar } from './integration-branch.js';
import { lookAt } from './place.js';
import { must } from './refs.js';
import { type GatherOptions, gather, type WorktreeFacts } from './retention-facts.js';
import type { Workbench } from './workshop.js';

/** Removes what can go without loss; with `force` also the rest, after saving it under a ref. */
export async function removeTree(bench: Workbench, request: RemovalRequest): Promise<Removal> {
  const { workshop } = bench;
  const name = await placedAttempt(bench, request);
  await workshop.sweep();
  if ((await lookAt(name.tree)) !== undefined) await workshop.settle(name.tree);
  const against = { ...request, integrated: await integratedSoFar(bench) };
  const worktree = await gather(bench, name, against);
  if (worktree === undefined) return { removed: 'nothing', reason: 'absent', text: 'nothing of this attempt is left' };
  const verdict = decideRetention(worktree.facts);
  if ('remove' in verdict) {
    if (verdict.remove === 'tree' && worktree.tree === undefined) {
      return { removed: 'nothing', reason: 'absent', text: 'only its branch is left, and that keeps the work' };
    }
    if (worktree.facts.readOnly) await tellDiscarded(bench, request, name, worktree);
    await takeAway(bench, worktree, worktree.facts.thrownAway);
    if (verdict.remove === 'tree-and-branch') await dropBranch(bench, name, worktree);
    return { removed: verdict.remove, text: verdict.text };
  }
  const never = verdict.keep === 'in-use' || verdict.keep === 'foreign' || verdict.keep === 'submodules';
  if (request.force !== true || never) return { removed: 'nothing', reason: verdict.keep, text: verdict.text };
  return removeByForce(bench, against, name, worktree);
}

/** Reports discarded changes, if there are any. */
async function tellDiscarded(
  bench: Workbench,
  { discarding }: RemovalRequest,
  name: PlacedAttempt,
  { head, facts }: WorktreeFacts,
): Promise<void> {
  if (discarding === undefined || head === undefined) return;
  const { changes, untracked, untrackedTotal } = await attemptChanges(
    bench,
    shortRef(name.branch),
    head,
    facts.tree,
    {},
  );
  const files = [...changes.files.map(({ path }) => path), ...untracked];
  if (files.length > 0) await discarding(files, changes.total + untrackedTotal);
}

async function removeByForce(
  bench: Workbench,
  request: RemovalRequest & GatherOptions,
  name: PlacedAttempt,
  worktree: WorktreeFacts,
): Promise<Removal> {
  if (worktree.tree !== undefined) {
    const leftovers = await commitLeftovers(bench, worktree.tree, leftoverMessage(request));
    const stuck = leftovers.stuck ?? (leftovers.leftOut.length > 0 ? 'it contains nested repositories' : undefined);
    if (stuck !== undefined) return { removed: 'nothing', reason: 'unfinished', text: stuck };
  }
  const again = (await gather(bench, name, request)) ?? worktree;
  const savedAs = again.head === undefined ? undefined : await save(bench, name, again.head);
  await takeAway(bench, again, true);
  await dropBranch(bench, name, again);
  return {
    removed: 'tree-and-branch',
    text: 'removed by force',
    ...(savedAs === undefined ? {} : { savedAs }),
  };
}

async function save({ refs }: Workbench, name: AttemptName, head: string): Promise<string> {
  for (let copy = 1; copy <= SURFACE_LIMITS.treesListed; copy++) {
    const ref = removedRef(name, copy);
    if ((await refs.commit(ref)) === head || (await refs.move(ref, head, undefined))) return ref;
  }
  throw new TroupeError('too_many', {
    what: 'This attempt was force-removed too often.',
    hint: 'Remove some of refs/wg/removed.',
  });
}

/** Removes a worktree with git's own check for unsaved work, unless that fails because of empty submodules. */
async function takeAway({ git, place }: Workbench, { tree, facts }: WorktreeFacts, force: boolean): Promise<void> {
  if (tree === undefined) return;
  const outcome = await git.run(place.top, ['worktree', 'remove', ...(force ? ['--force'] : []), '--', tree]);
  if (outcome.code === 0) return;
  const clean = facts.tree?.clean === true && /submodule/.test(outcome.message);
  if (!clean) must(outcome, 'worktree remove');
  await git.removeWorktree(place.top, tree);
}

async function dropBranch({ refs, exchange }: Workbench, name: PlacedAttempt, { tip }: WorktreeFacts): Promise<void> {
  if (tip === undefined) return;
  await exchange.withdraw(name.branch, tip); // first: while the branch exists here, an interrupted removal is repeated
  await refs.drop(name.branch, tip);
}
