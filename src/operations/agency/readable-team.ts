import type { Team } from '#core/team/team.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';

/** The team, for those who can do without: one that cannot be read, as where two layouts disagree, names nobody. */
export async function readableTeam(context: Pick<Context, 'squad'>): Promise<Team | undefined> {
  try {
    return await (await context.squad()).readTeam();
  } catch (error) {
    if (error instanceof TroupeError) return undefined;
    throw error;
  }
}
