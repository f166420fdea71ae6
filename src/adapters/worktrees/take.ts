import { conflictReason, takeOverMessage } from '#core/runs/commit-messages.js';
import { INTEGRATION } from '#core/runs/names.js';
import { TroupeError } from '#kernel/errors.js';
import { GRAPH_FOLDER } from '#kernel/graph-folder.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { inert } from '#kernel/text.js';
import type { PublishedWork } from '#ports/attempt-trees.js';
import type { TakeOutcome, TakeRequest } from '#ports/integration.js';
import { againstIntegration, isMerged } from './attempt-tree.js';
import { integration } from './integration-branch.js';
import { makeTrees } from './place.js';
import { checkedOutAt, must } from './refs.js';
import type { Workbench } from './workshop.js';

/** Merges submitted work into the integration branch. Errors: `branch_in_use`, `locked`. */
export async function mergeWork(bench: Workbench, work: PublishedWork, request: TakeRequest): Promise<TakeOutcome> {
  const { place, refs, workshop } = bench;
  await makeTrees(place);
  await workshop.sweep();
  await bringWork(bench, work);
  if (request.how === 'keep') {
    await keepBranch(bench, work);
    return { outcome: 'kept', reason: 'asked', text: `the work stays in ${work.branch}` };
  }
  for (let attempt = 0; attempt < SURFACE_LIMITS.mergeAttempts; attempt++) {
    const integrated = await integration(bench);
    const stand = await againstIntegration(bench, integrated, work.commit);
    if (await isMerged(bench, stand))
      return { outcome: 'nothing', commit: integrated, before: work.commit !== work.base };
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
    const merged = await mergeOnce(bench, request, integrated, work);
    if (merged !== undefined) return merged;
  }
  throw new TroupeError('locked', { what: 'wg/integration kept moving while this work was merged.' });
}

/** Fetches the commit of submitted work into this repository. */
export async function bringWork({ exchange }: Workbench, { commit, branch }: PublishedWork): Promise<void> {
  await exchange.bring(commit, `refs/heads/${branch}`);
}

/** Creates the branch of work from another repository, where a person looks for it. */
async function keepBranch({ refs }: Workbench, { branch, commit }: PublishedWork): Promise<void> {
  const ref = `refs/heads/${branch}`;
  const present = await refs.commit(ref);
  if (present === commit) return;
  if (present === undefined || (await refs.contains(commit, present))) await refs.move(ref, commit, present);
}

/** Tries one merge in a temporary worktree without files. Undefined if the integration branch moved meanwhile. */
async function mergeOnce(
  bench: Workbench,
  request: TakeRequest,
  integrated: string,
  { commit: head, committed, leftOut }: PublishedWork,
): Promise<TakeOutcome | undefined> {
  const { git, place, refs, workshop, exchange } = bench;
  const workspace = await workshop.open(integrated, { empty: true });
  try {
    const run = async (verb: string, ...words: string[]) => must(await git.run(workspace.path, [verb, ...words]), verb);
    await run('read-tree', integrated);
    const merge = await git.run(workspace.path, [
      ...['merge', '--quiet', '--no-commit', '--no-ff', '--no-edit', '--no-verify', '--no-stat', '--no-log'],
      ...['--no-verify-signatures', '--no-gpg-sign', '--no-autostash', head],
    ]);
    const unmerged = async () => names(await run('diff', '--name-only', '-z', '--no-renames', '--diff-filter=U'));
    // Exit code 1 also means a rejection: then nothing was merged, and committing would lose the work.
    if (merge.code !== 0 && (merge.code !== 1 || (await unmerged()).length === 0)) must(merge, 'merge');
    const own = place.below === '' ? GRAPH_FOLDER : `${place.below}/${GRAPH_FOLDER}`;
    const staged = await run('diff', '--cached', '--name-only', '-z', '--no-renames', integrated, '--', own);
    if (staged !== '') await run('reset', '--quiet', integrated, '--', own);
    const conflicts = merge.code === 0 ? [] : await unmerged();
    if (conflicts.length > 0) {
      return {
        outcome: 'conflict',
        files: conflicts.slice(0, SURFACE_LIMITS.treeFiles),
        reason: conflictReason(conflicts),
      };
    }
    const content = (await run('write-tree')).trim();
    const parents = request.how === 'squash' ? [integrated] : [integrated, head];
    const words = parents.flatMap((parent) => ['-p', parent]);
    const commit = (await run('commit-tree', ...words, '-m', takeOverMessage(request, head), content)).trim();
    const isOurs = (await exchange.publish(INTEGRATION, commit)) && (await refs.move(INTEGRATION, commit, integrated));
    if (!isOurs) return undefined;
    return {
      outcome: 'merged',
      commit,
      committed,
      leftOut: [...leftOut, ...names(staged)].slice(0, SURFACE_LIMITS.treeFiles),
    };
  } finally {
    await workspace.close();
  }
}

function names(text: string): string[] {
  return [...new Set(text.split('\0').filter((name) => name !== ''))].sort();
}
