import type { Database } from '#adapters/teams-database/database.js';
import { writeOutbox } from '#adapters/teams-database/outbox-rows.js';
import type { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import type { TeamPlan, TeamsView } from '#core/teams/changes.js';
import { summaryOf, type Team, type TeamLabel, type TeamSummary } from '#core/teams/team.js';
import type { TeamEvent } from '#core/teams/team-events.js';
import type { TeamStore } from '#ports/team-store.js';
import { eventsIn, labelsIn, teamIn, teamsIn, writeEvents, writeTeam } from './team-rows.js';

/** Teams in `.workgraph/teams.db`. */
export class SqliteTeamStore implements TeamStore {
  private readonly database: TeamsDatabase;

  constructor(database: TeamsDatabase) {
    this.database = database;
  }

  change<Result>(decide: (view: TeamsView) => TeamPlan<Result>): Promise<Result> {
    return this.database.use((database) =>
      database.transaction(() => {
        const { team, events, outbox, result } = decide({
          labels: labelsIn(database),
          team: (id) => teamIn(database, id),
        });
        if (team) writeTeam(database, team);
        writeEvents(database, events);
        writeOutbox(database, outbox, this.database.now());
        return result;
      }),
    );
  }

  getTeam(id: string): Promise<Team | undefined> {
    return this.read(undefined, (database) => teamIn(database, id));
  }

  labels(): Promise<readonly TeamLabel[]> {
    return this.read([], labelsIn);
  }

  listTeams(limit: number): Promise<readonly TeamSummary[]> {
    return this.read([], (database) => teamsIn(database, limit).map(summaryOf));
  }

  events(teamId: string, options: { readonly after?: number; readonly limit: number }): Promise<readonly TeamEvent[]> {
    return this.read([], (database) => eventsIn(database, teamId, options));
  }

  close(): Promise<void> {
    return this.database.close();
  }

  private async read<Result>(none: Result, work: (database: Database) => Result): Promise<Result> {
    return this.database.exists() ? await this.database.use(work) : none;
  }
}
