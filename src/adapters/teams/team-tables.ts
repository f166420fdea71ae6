/**
 * Teams in `teams.db`, among them the one that was cast.
 * @packageDocumentation
 */

import type { Database } from '#adapters/teams-database/database.js';
import type { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import type { TeamChange } from '#core/squad/team-change.js';
import { castTeamOf, followedCast } from '#core/squad/team-rows.js';
import type { Team } from '#core/teams/team.js';
import { eventsBetween } from '#core/teams/team-events.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { TeamFollower } from '#ports/squad-files.js';
import { labelsIn, teamIn, writeEvents, writeTeam } from './team-rows.js';

/** The team that was cast, as rows of `teams.db`. Follows the events of the team; a lost one is made again by the next write. */
export class TeamTables implements TeamFollower {
  private readonly database: TeamsDatabase;
  private readonly clock: Clock;

  constructor(database: TeamsDatabase, clock: Clock) {
    this.database = database;
    this.clock = clock;
  }

  /** A database that cannot be opened is found out before anything is written. */
  async prepare(): Promise<void> {
    await this.where(() => this.database.open());
  }

  async follow({ project, registry, history }: TeamChange): Promise<void> {
    const cast = castTeamOf(project, registry, history);
    if (cast) await this.where(() => this.database.write((database) => followCast(database, cast, this.clock.now())));
  }

  /** Where there is no SQLite nobody can read the rows either: a team is no worse without them. */
  private async where(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof TroupeError) || error.code !== 'sqlite_missing') throw error;
    }
  }
}

function followCast(database: Database, cast: Team, now: number): void {
  const before = teamIn(database, cast.id);
  const members = cast.members.filter(({ id }) => !belongsElsewhere(database, id, cast.id));
  const after = followedCast(before, { ...cast, members }, { labels: labelsIn(database), now });
  writeTeam(database, after);
  writeEvents(database, eventsBetween(before, after, { by: null, at: now }));
}

/** A member of another team that has this id stays theirs. */
function belongsElsewhere(database: Database, id: string, team: string): boolean {
  return database.all('SELECT 1 FROM members WHERE id = ? AND team_id <> ?', id, team).length > 0;
}
