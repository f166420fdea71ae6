import { personReader } from '#core/mail/message.js';
import type { SquadState } from '#core/squad/squad-state.js';
import { castTeamOf } from '#core/squad/team-rows.js';
import { labelNamed, type Team, unknownTeam } from '#core/teams/team.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';
import { projectOf } from '#operations/squad/team-plan.js';

type Parts = Pick<Context, 'squad' | 'teams' | 'projectFolder'>;

/**
 * The team that was cast, as its events tell it: also in a clone, where `teams.db` has nothing of it; and the name that is kept for
 * it, that of the project. `squad`: what they were read from.
 */
export async function castTeam(
  context: Parts,
): Promise<{ readonly reserved: string; readonly cast: Team | undefined; readonly squad: SquadState }> {
  const squad = await (await context.squad()).read();
  const { teamFile, registry, history } = squad;
  const reserved = projectOf(context, teamFile);
  return { reserved, cast: castTeamOf(reserved, registry, history), squad };
}

/** The one way to a team by its id or name: the cast one first. `not_found` with the name most likely meant. */
export async function teamNamed(context: Parts, word: string): Promise<Team> {
  const { cast } = await castTeam(context);
  if (cast && labelNamed([cast], word)) return cast;
  const store = await context.teams();
  const labels = await store.labels();
  const label = labelNamed(labels, word);
  const team = label && (await store.getTeam(label.id));
  if (team) return team;
  throw unknownTeam(word, cast ? [cast, ...labels] : labels);
}

/** The team that a word means; where there is none, or a full stop, the one that this person works with. Errors: `not_found`. */
export async function meantTeam(context: Parts & Pick<Context, 'caller'>, word: string | undefined): Promise<Team> {
  if (word !== undefined && word !== '.') return await teamNamed(context, word);
  const id = await (await context.teams()).inUse(personReader(context.caller.name));
  if (id !== undefined) return await teamNamed(context, id);
  throw new TroupeError('not_found', {
    what: 'No team was named, and you have no current team.',
    hint: 'Name one, or choose one with `troupe team use TEAM`.',
  });
}
