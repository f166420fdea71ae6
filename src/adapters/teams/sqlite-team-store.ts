import type { Database } from '#adapters/teams-database/database.js';
import { writeOutbox } from '#adapters/teams-database/outbox-rows.js';
import type { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import type { Artifact, ArtifactLabel } from '#core/teams/artifacts.js';
import type { TeamPlan, TeamsView } from '#core/teams/changes.js';
import type { TeamMessage } from '#core/teams/mail.js';
import type { Session } from '#core/teams/session.js';
import type { Strata } from '#core/teams/strata.js';
import type { WakeUp } from '#core/teams/talk.js';
import { summaryOf, type Team, type TeamLabel, type TeamSummary } from '#core/teams/team.js';
import type { TeamEvent } from '#core/teams/team-events.js';
import type { KnownRequest } from '#kernel/request.js';
import type { TeamStore, TeamsFault } from '#ports/team-store.js';
import { artifactIn, artifactsIn, followedIn, moveArtifacts, writeArtifacts, writeFollowed } from './artifact-rows.js';
import { chatIn, mailIn, sessionsIn, strataIn, TalkTables, teamInUse, wakeUpsIn, writeTalk } from './talk-rows.js';
import { eventsIn, labelsIn, teamIn, teamsIn, writeEvents, writeTeam } from './team-rows.js';

/** Teams in `.workgraph/teams.db`. */
export class SqliteTeamStore implements TeamStore {
  private readonly database: TeamsDatabase;

  constructor(database: TeamsDatabase) {
    this.database = database;
  }

  change<Result>(decide: (view: TeamsView) => TeamPlan<Result>): Promise<Result> {
    return this.database.write((database) => this.decided(database, decide));
  }

  changeOnce<Result>(request: KnownRequest, decide: (view: TeamsView) => TeamPlan<Result>): Promise<Result> {
    return this.database.once(request, (database) => this.decided(database, decide));
  }

  getTeam(id: string): Promise<Team | undefined> {
    return this.database.read(undefined, (database) => teamIn(database, id));
  }

  labels(): Promise<readonly TeamLabel[]> {
    return this.database.read([], labelsIn);
  }

  listTeams(limit: number): Promise<readonly TeamSummary[]> {
    return this.database.read([], (database) => teamsIn(database, limit).map(summaryOf));
  }

  events(teamId: string, options: { readonly after?: number; readonly limit: number }): Promise<readonly TeamEvent[]> {
    return this.database.read([], (database) => eventsIn(database, teamId, options));
  }

  strata(teamId: string): Promise<readonly Strata[]> {
    return this.database.read([], (database) => strataIn(database, teamId));
  }

  chat(teamId: string, options: { readonly after?: number; readonly limit: number }): Promise<readonly TeamMessage[]> {
    return this.database.read([], (database) => chatIn(database, teamId, options));
  }

  mail(teamId: string, member: string, limit: number) {
    return this.database.read<{ messages: readonly TeamMessage[]; turns: readonly WakeUp[] }>(
      { messages: [], turns: [] },
      (database) => ({
        messages: mailIn(database, teamId, member, limit),
        turns: wakeUpsIn(database, teamId, member, limit),
      }),
    );
  }

  sessions(teamId: string, limit: number): Promise<readonly Session[]> {
    return this.database.read([], (database) => sessionsIn(database, teamId, limit));
  }

  inUse(person: string): Promise<string | undefined> {
    return this.database.read(undefined, (database) => teamInUse(database, person));
  }

  followed(): Promise<number | undefined> {
    return this.database.read(undefined, followedIn);
  }

  artifact(id: string): Promise<Artifact | undefined> {
    return this.database.read(undefined, (database) => artifactIn(database, id));
  }

  artifacts(
    teamId: string,
    options: { readonly task?: string; readonly limit: number },
  ): Promise<readonly ArtifactLabel[]> {
    return this.database.read([], (database) => artifactsIn(database, teamId, options));
  }

  fault(thoroughly: boolean): Promise<TeamsFault | undefined> {
    return this.database.fault(thoroughly);
  }

  restore(): Promise<readonly string[]> {
    return this.database.restore();
  }

  close(): Promise<void> {
    return this.database.close();
  }

  private decided<Result>(database: Database, decide: (view: TeamsView) => TeamPlan<Result>): Result {
    const { team, events, outbox, talk, artifacts, moves, followed, result } = decide({
      labels: labelsIn(database),
      team: (id) => teamIn(database, id),
      talk: (id) => new TalkTables(database, id),
      followed: followedIn(database),
    });
    if (team) writeTeam(database, team);
    writeTalk(database, talk);
    writeEvents(database, events);
    writeArtifacts(database, artifacts);
    moveArtifacts(database, moves);
    writeFollowed(database, followed);
    writeOutbox(database, outbox, this.database.now());
    return result;
  }
}
