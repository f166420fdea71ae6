import { BLOCKING_BRANCH, INTEGRATION } from '#core/runs/names.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { checkedOutAt, type Refs } from './refs.js';
import type { Workbench } from './workshop.js';

/**
 * Returns the published commit of the integration branch. Creates the branch from the person's HEAD, and advances it
 * with HEAD while it contains nothing that HEAD lacks.
 */
export async function integration({ refs, place, exchange }: Workbench): Promise<string> {
  const { head } = place;
  await refs.refuseAlias(INTEGRATION);
  for (let attempt = 0; attempt < SURFACE_LIMITS.mergeAttempts; attempt++) {
    const theirs = await exchange.follow(INTEGRATION);
    const isShared = async (commit: string) => commit === theirs || (await exchange.publish(INTEGRATION, commit));
    const present = await refs.commit(INTEGRATION);
    if (present === undefined) await refuseBlocked(refs);
    const stays =
      present === head ||
      (present !== undefined &&
        (!(await refs.contains(head, present)) || checkedOutAt(await refs.worktrees(), INTEGRATION) !== undefined));
    // Published before it moves here: after a kill in between it is found there, and no other process has advanced
    // meanwhile.
    if (!(await isShared(stays ? present : head))) continue;
    if (stays) return present;
    if (await refs.move(INTEGRATION, head, present)) return head;
  }
  throw new TroupeError('locked', { what: 'wg/integration kept moving.' });
}

/** Latest known integrated commit: the remote's, or the local one while the remote is unreachable. */
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
