import { BLOCKING_BRANCH, INTEGRATION } from '#core/worktrees/names.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { checkedOutAt, type Refs } from './refs.js';
import type { Workbench } from './workshop.js';

/**
 * The commit of the integration branch, published. The branch is made from the person's HEAD, and follows that while it holds nothing that
 * HEAD lacks.
 */
export async function integration({ refs, place, exchange }: Workbench): Promise<string> {
  const { head } = place;
  await refs.refuseAlias(INTEGRATION);
  for (let attempt = 0; attempt < LIMITS.mergeAttempts; attempt++) {
    const theirs = await exchange.follow(INTEGRATION);
    const isShared = async (commit: string) => commit === theirs || (await exchange.publish(INTEGRATION, commit));
    const present = await refs.commit(INTEGRATION);
    if (present === undefined) await refuseBlocked(refs);
    const stays =
      present === head ||
      (present !== undefined &&
        (!(await refs.contains(head, present)) || checkedOutAt(await refs.worktrees(), INTEGRATION) !== undefined));
    // Published before it is moved here: whoever is killed in between finds it there, and nobody else has gone on meanwhile.
    if (!(await isShared(stays ? present : head))) continue;
    if (stays) return present;
    if (await refs.move(INTEGRATION, head, present)) return head;
  }
  throw new TroupeError('locked', { what: 'wg/integration kept moving.' });
}

/** The commit up to which results are known to have gathered: as the others say, or as they last said while nobody can ask them. */
export async function integratedSoFar({ refs, exchange }: Workbench): Promise<string | undefined> {
  try {
    const theirs = await exchange.follow(INTEGRATION);
    if (theirs !== undefined) return theirs;
  } catch (error) {
    if (!isRefusal(error, 'remote_unreachable')) throw error;
  }
  return refs.commit(INTEGRATION);
}

async function refuseBlocked(refs: Refs): Promise<void> {
  if ((await refs.commit(BLOCKING_BRANCH)) === undefined) return;
  throw new TroupeError('branch_in_use', {
    what: 'There is a branch called wg, so git has no room for wg/integration.',
    hint: 'Rename it: `git branch -m wg OTHER-NAME`.',
  });
}
