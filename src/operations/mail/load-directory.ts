import type { ConfigTree } from '#core/mail/config-tree.js';
import { type Directory, type DirectoryTeam, directoryOf } from '#core/mail/directory.js';
import { type Standings, standingsOf } from '#core/mail/standings.js';
import type { SquadState } from '#core/squad/squad-state.js';
import { presentMembers, type Team } from '#core/teams/team.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { WorkContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';
import { castTeam } from '#operations/teams/team-lookup.js';
import { rosterTeam } from '#operations/teams/team-roster.js';

/**
 * Loads everyone who can receive messages, from the current configuration and teams. If either cannot be read, no
 * message is permitted. Errors: `routing_unavailable`.
 */
export async function loadDirectory(context: WorkContext): Promise<Directory> {
  try {
    return directoryOf(await standings(context), await teams(context));
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    throw new TroupeError('routing_unavailable', {
      what: `The rosters cannot be read: ${error.message}`,
      hint: error.hint,
      cause: error,
    });
  }
}

/** Standings by tree, so each tree is evaluated once however many messages use it. */
const standingsByTree = new WeakMap<ConfigTree, Standings>();

/** Undefined for a project without a configuration tree. */
async function standings(context: Pick<Context, 'projectFolder' | 'rosterConfig'>): Promise<Standings | undefined> {
  try {
    const tree = await (await context.rosterConfig()).tree({ from: context.projectFolder });
    const made = standingsByTree.get(tree) ?? standingsOf(tree);
    standingsByTree.set(tree, made);
    return made;
  } catch (error) {
    if (isRefusal(error, 'config_not_found')) return undefined;
    throw error;
  }
}

async function teams(context: WorkContext): Promise<DirectoryTeam[]> {
  const { cast, squad } = await castTeam(context);
  const store = await context.teams();
  const kept = await Promise.all(
    (await store.labels())
      .filter(({ id, status }) => status === 'active' && id !== cast?.id)
      .slice(0, TEAM_LIMITS.conversationTeams)
      .map(({ id }) => store.getTeam(id)),
  );
  return await Promise.all([cast, ...kept].flatMap((team) => (team ? [directoryTeam(context, team, squad)] : [])));
}

async function directoryTeam(
  context: Pick<Context, 'graph' | 'agency'>,
  team: Team,
  squad: SquadState,
): Promise<DirectoryTeam> {
  const people = presentMembers(team).map(({ slug, agent, person, status }) => ({
    slug,
    agent: agent ?? undefined,
    person: person ?? undefined,
    paused: status === 'paused',
  }));
  return {
    ...(await rosterTeam(context, team, async () => squad)),
    id: team.cast ? undefined : team.id,
    people,
    humans: [],
  };
}
