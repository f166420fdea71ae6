import type { Statements } from '#adapters/teams-database/statement.js';
import type { Tables } from '#adapters/teams-database/tables.js';
import type { TeamChange } from '#core/squad/team-change.js';
import { castTeamOf, storedCastTeam } from '#core/squad/team-rows.js';
import type { Team, TeamMember } from '#core/teams/team.js';
import { eventsBetween } from '#core/teams/team-events.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { TeamFollower } from '#ports/squad-files.js';
import { isOnAnotherTeam, storedTeam, teamLabels, writeEvents, writeTeam } from './team-rows.js';

/** Maintains the cast team in the tables by following team events. A lost update is restored by the next write. */
export class CastFollower implements TeamFollower {
  private readonly tables: Tables;
  private readonly clock: Clock;

  constructor(tables: Tables, clock: Clock) {
    this.tables = tables;
    this.clock = clock;
  }

  /** Detects an unusable database before anything is written. */
  async prepare(): Promise<void> {
    await this.where(() => this.tables.open());
  }

  async follow({ project, registry, history }: TeamChange): Promise<void> {
    const cast = castTeamOf(project, registry, history);
    if (cast) await this.where(() => this.tables.write(() => followCast(cast, this.clock.now())));
  }

  /** Ignores missing SQLite: without it no command can read the rows either, and the team works without them. */
  private async where(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof TroupeError) || error.code !== 'sqlite_missing') throw error;
    }
  }
}

function* followCast(cast: Team, now: number): Statements<void> {
  const before = yield* storedTeam(cast.id);
  const members: TeamMember[] = [];
  for (const member of cast.members) if (!(yield* isOnAnotherTeam(member.id, cast.id))) members.push(member);
  const after = storedCastTeam(before, { ...cast, members }, { labels: yield* teamLabels(), now });
  yield* writeTeam(after);
  yield* writeEvents(eventsBetween(before, after, { by: null, at: now }));
}
