import { leftoverMessage } from '#core/runs/commit-messages.js';
import { INTEGRATION } from '#core/runs/names.js';
import type { AttemptKey } from '#ports/attempt-trees.js';
import { commitLeftovers, marksOf } from './attempt-tree.js';
import { placedAttempt } from './attempts.js';
import { isOwnTree } from './pointers.js';
import { must, Refs } from './refs.js';
import type { Workbench } from './workshop.js';

/**
 * Reverts all changes of an attempt outside one project folder, committed or not, with a commit on its branch. Returns
 * the reverted paths, relative to the top of the repository; none if git cannot commit there now.
 */
export async function keepOnly(bench: Workbench, key: AttemptKey, folder: string): Promise<readonly string[]> {
  const { git, place } = bench;
  const { tree } = await placedAttempt(bench, key);
  if (!(await isOwnTree(place, tree))) return [];
  const taken = await commitLeftovers(bench, tree, leftoverMessage(key));
  if (taken.stuck !== undefined) return [];
  const refs = new Refs(git, tree);
  const base = (await refs.mergeBase('HEAD', INTEGRATION)) ?? (await marksOf(bench, tree)).base;
  if (base === undefined) return [];
  const kept = `${place.below === '' ? folder : `${place.below}/${folder}`}/`;
  const diff = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', base, 'HEAD', '--'];
  const changed = must(await git.run(tree, diff), 'diff')
    .split('\0')
    .filter((file) => file !== '' && !file.startsWith(kept));
  if (changed.length === 0) return [];
  const restore = [
    'restore',
    `--source=${base}`,
    '--staged',
    '--worktree',
    '--pathspec-from-file=-',
    '--pathspec-file-nul',
  ];
  must(await git.run(tree, restore, { input: changed.map((file) => `${file}\0`).join('') }), 'restore');
  const put = await commitLeftovers(bench, tree, `${key.task}: only what it handed in stays`);
  return put.committed ? changed : [];
}
