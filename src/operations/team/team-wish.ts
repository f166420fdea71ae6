import path from 'node:path';
import { projectName, type TeamFile } from '#core/team/team-file.js';
import type { TeamWish } from '#core/team/team-wish.js';
import type { Context } from '#operations/operation.js';

/** What a change of the team has to know, as of now: what was read beforehand, and who asks. */
export function teamWishOf(
  context: Context,
  read: Pick<TeamWish, 'state' | 'catalog' | 'templates' | 'policyText' | 'clientFiles'>,
): TeamWish {
  return {
    ...read,
    project: projectOf(context, read.state.teamFile),
    now: context.clock.now(),
    by: context.caller.name,
    freshId: () => context.freshId(),
  };
}

/** What the project is called. */
export function projectOf(context: Pick<Context, 'projectFolder'>, teamFile: TeamFile): string {
  return projectName(teamFile, path.basename(context.projectFolder));
}
