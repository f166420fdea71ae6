import type { Database } from '#adapters/teams-database/database.js';
import { type Tables, writeOnce } from '#adapters/teams-database/tables.js';
import type { Artifact, ArtifactLabel } from '#core/teams/artifacts.js';
import { TEAMS_VIEW, type TeamPlan, type TeamsView } from '#core/teams/changes.js';
import type { TeamMessage } from '#core/teams/mail.js';
import type { Session } from '#core/teams/session.js';
import type { Strata } from '#core/teams/strata.js';
import type { WakeUp } from '#core/teams/talk.js';
import { type Team, type TeamLabel, type TeamSummary, teamSummary } from '#core/teams/team.js';
import type { TeamEvent } from '#core/teams/team-events.js';
import { answered, type Queried } from '#kernel/query.js';
import type { KnownRequest } from '#kernel/request.js';
import type { TeamStore, TeamsFault } from '#ports/team-store.js';
import { artifactIn, artifactsIn, followedIn } from './artifact-rows.js';
import { teamAnswersIn, writeTeamPlan } from './plan-rows.js';
import { chatIn, mailIn, sessionsIn, strataRows, teamInUse, wakeUpsIn } from './talk-rows.js';
import { labelsIn, teamEventsIn, teamIn, teamsIn } from './team-rows.js';

/** Teams in `.workgraph/teams.db`. */
export class SqliteTeamStore implements TeamStore {
  private readonly database: Tables;

  constructor(database: Tables) {
    this.database = database;
  }

  change<Result>(decide: (view: TeamsView) => Queried<TeamPlan<Result>>): Promise<Result> {
    return this.database.write((database) => this.decided(database, decide));
  }

  changeOnce<Result>(request: KnownRequest, decide: (view: TeamsView) => Queried<TeamPlan<Result>>): Promise<Result> {
    return writeOnce(this.database, request, (database) => this.decided(database, decide));
  }

  getTeam(id: string): Promise<Team | undefined> {
    return this.database.read(undefined, (database) => teamIn(database, id));
  }

  labels(): Promise<readonly TeamLabel[]> {
    return this.database.read([], labelsIn);
  }

  listTeams(limit: number): Promise<readonly TeamSummary[]> {
    return this.database.read([], (database) => teamsIn(database, limit).map(teamSummary));
  }

  events(teamId: string, options: { readonly after?: number; readonly limit: number }): Promise<readonly TeamEvent[]> {
    return this.database.read([], (database) => teamEventsIn(database, teamId, options));
  }

  strata(teamId: string): Promise<readonly Strata[]> {
    return this.database.read([], (database) => strataRows(database, teamId));
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

  private decided<Result>(database: Database, decide: (view: TeamsView) => Queried<TeamPlan<Result>>): Result {
    const plan = answered(decide(TEAMS_VIEW), teamAnswersIn(database));
    writeTeamPlan(database, plan, this.database.now());
    return plan.result;
  }
}
