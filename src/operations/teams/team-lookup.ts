import { personReader } from '#core/mail/message.js';
import type { SquadState } from '#core/squad/squad-state.js';
import { castTeamOf } from '#core/squad/team-rows.js';
import { labelNamed, type Team, unknownTeam } from '#core/teams/team.js';
import { TroupeError } from '#kernel/errors.js';
import type { TeamContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';
import { projectOf } from '#operations/squad/team-plan.js';

/**
 * Returns the cast team as derived from its events, which works even in a clone whose `teams.db` lacks it, and the name
 * reserved for it, which is the project's name. `squad` is the state both were read from.
 */
export async function castTeam(
  context: Pick<Context, 'projectFolder' | 'squad'>,
): Promise<{ readonly reserved: string; readonly cast: Team | undefined; readonly squad: SquadState }> {
  const squad = await (await context.squad()).read();
  const { teamFile, registry, history } = squad;
  const reserved = projectOf(context, teamFile);
  return { reserved, cast: castTeamOf(reserved, registry, history), squad };
}

/** Finds a team by id or name, the cast team first. Errors: `not_found` with the closest name. */
export async function teamNamed(context: TeamContext, word: string): Promise<Team> {
  const { cast } = await castTeam(context);
  if (cast && labelNamed([cast], word)) return cast;
  const store = await context.teams();
  const labels = await store.labels();
  const label = labelNamed(labels, word);
  const team = label && (await store.getTeam(label.id));
  if (team) return team;
  throw unknownTeam(word, cast ? [cast, ...labels] : labels);
}

/** Finds the named team; without a name, or for `.`, the current team of this person. Errors: `not_found`. */
export async function teamOrCurrent(context: TeamContext, word: string | undefined): Promise<Team> {
  if (word !== undefined && word !== '.') return await teamNamed(context, word);
  const id = await (await context.teams()).inUse(personReader(context.caller.name));
  if (id !== undefined) return await teamNamed(context, id);
  throw new TroupeError('not_found', {
    what: 'No team was named, and you have no current team.',
    hint: 'Name one, or choose one with `troupe team use TEAM`.',
  });
}
