import type { AttemptName } from '#core/runs/names.js';
import { placeAttempt } from './attempts.js';
import { lookAt } from './place.js';
import type { Workbench } from './workshop.js';

/** Reads what is left of an attempt, again if some of it goes in the meantime, as when its work is merged. */
export async function steady<Result>(
  bench: Workbench,
  attempt: AttemptName,
  read: () => Promise<Result>,
): Promise<Result> {
  const before = await leftOf(bench, attempt);
  try {
    return await read();
  } catch (error) {
    const now = await leftOf(bench, attempt);
    if (before.every((one) => now.includes(one))) throw error;
    return await steady(bench, attempt, read); // ends: an attempt has a branch and at most one worktree
  }
}

/** Worktree and branch of an attempt, as far as they exist. */
async function leftOf(bench: Workbench, attempt: AttemptName): Promise<readonly string[]> {
  const { tree, branch } = await placeAttempt(bench, attempt);
  const [folder, commit] = [await lookAt(tree), await bench.refs.commit(branch)];
  return [...(folder === undefined ? [] : [tree]), ...(commit === undefined ? [] : [branch])];
}
