import { conflictReason, leftoverMessage, takeOverMessage } from '#core/worktrees/commit-messages.js';
import { INTEGRATION, shortRef } from '#core/worktrees/names.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { inert } from '#kernel/text.js';
import type { MergeOutcome, MergeRequest } from '#ports/worktrees.js';
import { againstIntegration, commitLeftovers, isMerged, marksOf } from './attempt-tree.js';
import { type PlacedAttempt, placedAttempt } from './attempts.js';
import { lookAt, makeTrees } from './place.js';
import { isOwnTree } from './pointers.js';
import { checkedOutAt, integration, must } from './refs.js';
import type { Workbench } from './workshop.js';

/** `base`: what its work is measured against, as long as there is a worktree that says so. */
interface Finished {
  readonly head: string;
  readonly base?: string;
  /** Whether what was not committed was committed for it, and what could not be. */
  readonly committed: boolean;
  readonly leftOut: readonly string[];
}
type Unmerged = Extract<MergeOutcome, { outcome: 'kept' | 'nothing' }>;

/** Brings the work of an attempt into the integration branch. */
export async function mergeBack(bench: Workbench, request: MergeRequest): Promise<MergeOutcome> {
  const { place, refs, workshop } = bench;
  const name = await placedAttempt(bench, request);
  await makeTrees(place);
  await workshop.sweep();
  await refs.refuseAlias(name.branch);
  const finished = await finish(bench, request, name);
  if ('outcome' in finished) return finished;
  if (request.how === 'keep') {
    return { outcome: 'kept', reason: 'asked', text: `the work stays in ${shortRef(name.branch)}` };
  }
  for (let attempt = 0; attempt < LIMITS.mergeAttempts; attempt++) {
    const integrated = await integration(refs, place);
    const stand = await againstIntegration(bench, integrated, finished.head);
    if (await isMerged(bench, stand))
      return { outcome: 'nothing', commit: integrated, before: finished.head !== finished.base };
    if (stand.parted === undefined) {
      return { outcome: 'kept', reason: 'unrelated', text: 'its history has nothing in common with the project' };
    }
    const elsewhere = checkedOutAt(await refs.worktrees(), INTEGRATION);
    if (elsewhere !== undefined) {
      throw new TroupeError('branch_in_use', {
        what: `wg/integration is checked out in ${inert(elsewhere)}, so results cannot be merged into it.`,
        hint: 'Switch that worktree to another branch; `git switch --detach wg/integration` shows the same files.',
      });
    }
    const merged = await mergeOnce(bench, request, integrated, finished);
    if (merged !== undefined) return merged;
  }
  throw new TroupeError('locked', { what: 'wg/integration kept moving while this work was merged.' });
}

/** Commits what was left in the worktree, and makes the attempt's branch say what its worktree holds. */
async function finish(bench: Workbench, request: MergeRequest, name: PlacedAttempt): Promise<Finished | Unmerged> {
  const { place, refs, workshop } = bench;
  const { tree } = name;
  const tip = await refs.commit(name.branch);
  if (tip === undefined) {
    throw new TroupeError('not_found', { what: `There is no branch ${inert(shortRef(name.branch))}.` });
  }
  if ((await lookAt(tree)) === undefined) return { head: tip, committed: false, leftOut: [] };
  await workshop.settle(tree);
  if (!(await isOwnTree(place, tree))) {
    throw new TroupeError('unsafe_worktree', {
      what: `The worktree of ${inert(shortRef(name.branch))} no longer belongs to this repository: nothing was changed.`,
      hint: 'Check its .git file; the branch itself is untouched.',
    });
  }
  const { base, thrownAway } = await marksOf(bench, tree);
  if (thrownAway) return { outcome: 'nothing', commit: tip, before: false };
  const leftovers = await commitLeftovers(bench, tree, leftoverMessage(request));
  if (leftovers.stuck !== undefined) return { outcome: 'kept', reason: 'unfinished', text: leftovers.stuck };
  const { head = tip, branch, committed, leftOut } = leftovers;
  const finished = { head, committed, leftOut, ...(base === undefined ? {} : { base }) };
  if (branch === name.branch || head === tip) return finished;
  if ((await refs.contains(head, tip)) && (await refs.move(name.branch, head, tip))) return finished;
  return {
    outcome: 'kept',
    reason: 'moved',
    text: `its worktree has left ${shortRef(name.branch)}, which holds other work`,
  };
}

/** One try, in a worktree of its own without files. Undefined when the integration branch moved meanwhile. */
async function mergeOnce(
  bench: Workbench,
  request: MergeRequest,
  integrated: string,
  { head, committed, leftOut }: Finished,
): Promise<MergeOutcome | undefined> {
  const { git, place, refs, workshop } = bench;
  const workspace = await workshop.open(integrated, { empty: true });
  try {
    const run = async (verb: string, ...words: string[]) => must(await git.run(workspace.path, [verb, ...words]), verb);
    await run('read-tree', integrated);
    const merge = await git.run(workspace.path, [
      ...['merge', '--quiet', '--no-commit', '--no-ff', '--no-edit', '--no-verify', '--no-stat', '--no-log'],
      ...['--no-verify-signatures', '--no-gpg-sign', '--no-autostash', head],
    ]);
    const unmerged = async () => names(await run('diff', '--name-only', '-z', '--no-renames', '--diff-filter=U'));
    // 1 also stands for refusals: then nothing was merged, and committing what is there would lose the work.
    if (merge.code !== 0 && (merge.code !== 1 || (await unmerged()).length === 0)) must(merge, 'merge');
    const own = place.below === '' ? '.workgraph' : `${place.below}/.workgraph`;
    const staged = await run('diff', '--cached', '--name-only', '-z', '--no-renames', integrated, '--', own);
    if (staged !== '') await run('reset', '--quiet', integrated, '--', own);
    const conflicts = merge.code === 0 ? [] : await unmerged();
    if (conflicts.length > 0) {
      return { outcome: 'conflict', files: conflicts.slice(0, LIMITS.treeFiles), reason: conflictReason(conflicts) };
    }
    const content = (await run('write-tree')).trim();
    const parents = request.how === 'squash' ? [integrated] : [integrated, head];
    const words = parents.flatMap((parent) => ['-p', parent]);
    const commit = (await run('commit-tree', ...words, '-m', takeOverMessage(request, head), content)).trim();
    if (!(await refs.move(INTEGRATION, commit, integrated))) return undefined;
    return { outcome: 'merged', commit, committed, leftOut: [...leftOut, ...names(staged)].slice(0, LIMITS.treeFiles) };
  } finally {
    await workspace.close();
  }
}

function names(text: string): string[] {
  return [...new Set(text.split('\0').filter((name) => name !== ''))].sort();
}
