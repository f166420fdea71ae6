import { type AttemptLabel, leftoverMessage } from '#core/runs/commit-messages.js';
import { shortRef } from '#core/runs/names.js';
import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import type { Publication, PublishedWork } from '#ports/attempt-trees.js';
import { commitLeftovers, marksOf } from './attempt-tree.js';
import { type PlacedAttempt, placedAttempt } from './attempts.js';
import { lookAt } from './place.js';
import { isOwnTree } from './pointers.js';
import type { Workbench } from './workshop.js';

/** Commits remaining changes of an attempt, moves its branch to the worktree's commit, and publishes it. */
export async function publishWork(bench: Workbench, attempted: AttemptLabel): Promise<Publication> {
  const { refs, exchange } = bench;
  const name = await placedAttempt(bench, attempted);
  await refs.refuseAlias(name.branch);
  const work = await finish(bench, attempted, name);
  if (work.outcome !== 'published' || (await exchange.publish(name.branch, work.commit))) return work;
  return moved(`${work.branch} of the remote holds other work`);
}

async function finish(bench: Workbench, attempted: AttemptLabel, name: PlacedAttempt): Promise<Publication> {
  const { place, refs, workshop, exchange } = bench;
  const { tree } = name;
  const tip = (await refs.commit(name.branch)) ?? (await exchange.follow(name.branch));
  if (tip === undefined) {
    throw new TroupeError('not_found', { what: `There is no branch ${inert(shortRef(name.branch))}.` });
  }
  const work = { outcome: 'published', branch: shortRef(name.branch), committed: false, leftOut: [] } as const;
  if ((await lookAt(tree)) === undefined) return { ...work, commit: tip };
  await workshop.settle(tree);
  if (!(await isOwnTree(place, tree))) {
    throw new TroupeError('unsafe_worktree', {
      what: `The worktree of ${inert(shortRef(name.branch))} no longer belongs to this repository: nothing was changed.`,
      hint: 'Check its .git file; the branch itself is untouched.',
    });
  }
  const { base, thrownAway } = await marksOf(bench, tree);
  if (thrownAway) return { outcome: 'nothing', commit: tip, before: false };
  const leftovers = await commitLeftovers(bench, tree, leftoverMessage(attempted));
  if (leftovers.stuck !== undefined) return { outcome: 'kept', reason: 'unfinished', text: leftovers.stuck };
  const { head = tip, branch, committed, leftOut } = leftovers;
  const done: PublishedWork = { ...work, commit: head, committed, leftOut, ...(base === undefined ? {} : { base }) };
  if (branch === name.branch || head === tip) return done;
  if ((await refs.contains(head, tip)) && (await refs.move(name.branch, head, tip))) return done;
  return moved(`its worktree has left ${work.branch}, which holds other work`);
}

function moved(text: string): Publication {
  return { outcome: 'kept', reason: 'moved', text };
}
