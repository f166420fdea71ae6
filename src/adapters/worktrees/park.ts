import { leftoverMessage } from '#core/runs/commit-messages.js';
import { TroupeError } from '#kernel/errors.js';
import { GRAPH_FOLDER } from '#kernel/graph-folder.js';
import { inert } from '#kernel/text.js';
import type { AttemptKey } from '#ports/attempt-trees.js';
import { marksOf, statusOf } from './attempt-tree.js';
import { placedAttempt } from './attempts.js';
import { lookAt } from './place.js';
import { isOwnTree, ownGitFolder } from './pointers.js';
import { must } from './refs.js';
import type { Workbench } from './workshop.js';

/**
 * Stores the whole state of an attempt under a ref, even during a merge, and publishes it. Returns false if there is no
 * work. Errors: `remote_went_back`.
 */
export async function parkWork(bench: Workbench, attempt: AttemptKey, ref: string): Promise<boolean> {
  const { place, refs, workshop, exchange } = bench;
  const { branch, tree } = await placedAttempt(bench, attempt);
  const isThere = (await lookAt(tree)) !== undefined;
  if (isThere) await workshop.settle(tree);
  const own = isThere && (await isOwnTree(place, tree)) ? tree : undefined;
  const head = own === undefined ? await refs.commit(branch) : (await statusOf(bench.git, own)).head;
  if (head === undefined) return false;
  const commit = own === undefined ? head : await commitOfAll(bench, own, head, leftoverMessage(attempt));
  if (own !== undefined && commit === (await marksOf(bench, own)).base) return false;
  await refs.move(ref, commit, await refs.commit(ref));
  if (await exchange.publish(ref, commit)) return true;
  throw new TroupeError('remote_went_back', { what: `${inert(ref)} of the remote holds other work.` });
}

/** Creates a commit of the present files without changing the worktree's index or branch. */
async function commitOfAll(
  { git, workshop, below }: Workbench,
  tree: string,
  head: string,
  message: string,
): Promise<string> {
  const side = await workshop.open(head, { empty: true });
  try {
    const at = [`--git-dir=${await ownGitFolder(side.path)}`, `--work-tree=${tree}`];
    const run = async (...words: string[]) => must(await git.run(tree, [...at, ...words]), words[0] ?? '').trim();
    await run('read-tree', head);
    await run('add', '--all', '--', '.');
    await run('reset', '--quiet', head, '--', below === '' ? GRAPH_FOLDER : `${below}/${GRAPH_FOLDER}`);
    const written = await run('write-tree');
    if (written === (await run('rev-parse', `${head}^{tree}`))) return head;
    return await run('commit-tree', written, '-p', head, '-m', message);
  } finally {
    await side.close();
  }
}
