import { branchOf } from '#core/runs/branches.js';
import { attemptName, INTEGRATION, shortRef } from '#core/runs/names.js';
import type { TreeState } from '#core/runs/state.js';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { inert } from '#kernel/text.js';
import type { AttemptKey, AttemptRequest, PublishedCommit } from '#ports/attempt-trees.js';
import { type PlacedAttempt, placedAttempt } from './attempts.js';
import { checkedOutAt } from './refs.js';
import type { Workbench } from './workshop.js';

/**
 * Updates the branch of an attempt with work published from another repository. Errors: `not_found`, `branch_in_use`,
 * `unsafe_worktree`, `remote_went_back`.
 */
export async function receiveWork(bench: Workbench, key: AttemptKey, work: PublishedCommit): Promise<void> {
  const { refs, exchange } = bench;
  const { branch } = await placedAttempt(bench, key);
  if (shortRef(branch) !== work.branch) {
    throw new TroupeError('not_found', {
      what: `The work was published as ${inert(work.branch)}, and its branch is ${inert(shortRef(branch))}.`,
    });
  }
  await refs.refuseAlias(branch);
  await exchange.bring(work.commit, branch);
  const present = await refs.commit(branch);
  if (present === work.commit || (present !== undefined && (await refs.contains(present, work.commit)))) return;
  const inUse = checkedOutAt(await refs.worktrees(), branch);
  if (inUse !== undefined) {
    throw new TroupeError('branch_in_use', {
      what: `${inert(work.branch)} is checked out in ${inert(inUse)}, and work came in for it.`,
    });
  }
  const isNewer = present === undefined || (await refs.contains(work.commit, present));
  if (isNewer && (await refs.move(branch, work.commit, present))) return;
  throw new TroupeError('remote_went_back', {
    what: `${inert(work.branch)} here holds commits that the published work lacks.`,
    hint: `Compare them: \`git log --left-right ${inert(work.branch)}...${work.commit.slice(0, 12)}\`; then move the branch out of the way.`,
  });
}

/** Fetches published work of this attempt and earlier ones from the remote, to continue it. */
export async function bringEarlier(
  { exchange, templates }: Workbench,
  { task, attempt, since = 1, fresh, trial }: AttemptRequest,
  { branch }: PlacedAttempt,
): Promise<void> {
  if (trial === true || (await exchange.follow(branch)) !== undefined || fresh === true) return;
  const last = Math.max(since, attempt - SURFACE_LIMITS.earlierAttemptsBrought);
  for (let number = attempt - 1; number >= last; number--) {
    const earlier = branchOf(attemptName(task, number), templates.current);
    if ((await exchange.follow(earlier)) !== undefined) return;
  }
}

/** State of an attempt with a branch but no worktree here. */
export async function branchState(bench: Workbench, key: AttemptKey): Promise<TreeState | undefined> {
  const { refs } = bench;
  const { branch, tree } = await placedAttempt(bench, key);
  const head = await refs.commit(branch);
  if (head === undefined) return undefined;
  const base = (await refs.mergeBase(head, INTEGRATION)) ?? head;
  const ahead = await refs.count(base, head);
  return { path: tree, branch, head, base, ahead, clean: true, dirty: [], dirtyTotal: 0, unmerged: [] };
}
