import path from 'node:path';
import type { TeamWish } from '#core/casting/team-wish.js';
import type { Context } from '#operations/operation.js';

/** What a change of the team has to know, as of now: what was read beforehand, and who asks. */
export function teamWishOf(
  context: Context,
  read: Pick<TeamWish, 'state' | 'catalog' | 'templates' | 'policyText'>,
): TeamWish {
  return {
    ...read,
    project: path.basename(context.projectFolder),
    now: context.clock.now(),
    by: context.caller.name,
    freshId: () => context.freshId(),
  };
}
