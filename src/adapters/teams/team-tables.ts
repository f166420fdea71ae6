/**
 * Teams in the tables of teams and mail, including the cast team; proposals of members, and memory entries waiting for
 * their file.
 * @packageDocumentation
 */
import { runDecision, type Statements } from '#adapters/teams-database/statement.js';
import { type Tables, writeOnce } from '#adapters/teams-database/tables.js';
import type { Artifact, ArtifactMetadata } from '#core/teams/artifacts.js';
import { TEAMS_VIEW, type TeamPlan, type TeamsView } from '#core/teams/changes.js';
import type { TeamMessage } from '#core/teams/mail.js';
import type { Session } from '#core/teams/session.js';
import type { Strata } from '#core/teams/strata.js';
import type { WakeUp } from '#core/teams/talk.js';
import { type Team, type TeamReference, type TeamSummary, teamSummary } from '#core/teams/team.js';
import type { TeamEvent } from '#core/teams/team-events.js';
import type { Queried } from '#kernel/query.js';
import type { KnownRequest } from '#kernel/request.js';
import type { TeamStore, TeamsFault } from '#ports/team-store.js';
import { artifactOf, artifactsOf, followed } from './artifact-rows.js';
import { TEAM_ANSWERS, writeTeamPlan } from './plan-rows.js';
import { sessionsOf } from './session-rows.js';
import { chatOf, memberMail, strataOf, teamInUse, wakeUpsOf } from './talk-rows.js';
import { storedTeam, teamEvents, teamLabels, teamsListed } from './team-rows.js';

export class TeamTables implements TeamStore {
  private readonly tables: Tables;

  constructor(tables: Tables) {
    this.tables = tables;
  }

  change<Result>(decide: (view: TeamsView) => Queried<TeamPlan<Result>>): Promise<Result> {
    return this.tables.write(() => this.changed(decide));
  }

  changeOnce<Result>(request: KnownRequest, decide: (view: TeamsView) => Queried<TeamPlan<Result>>): Promise<Result> {
    return writeOnce(this.tables, request, () => this.changed(decide));
  }

  getTeam(id: string): Promise<Team | undefined> {
    return this.tables.read(undefined, () => storedTeam(id));
  }

  labels(): Promise<readonly TeamReference[]> {
    return this.tables.read([], teamLabels);
  }

  async listTeams(limit: number): Promise<readonly TeamSummary[]> {
    return (await this.tables.read<readonly Team[]>([], () => teamsListed(limit))).map(teamSummary);
  }

  events(teamId: string, options: { readonly after?: number; readonly limit: number }): Promise<readonly TeamEvent[]> {
    return this.tables.read([], () => teamEvents(teamId, options));
  }

  strata(teamId: string): Promise<readonly Strata[]> {
    return this.tables.read([], () => strataOf(teamId));
  }

  chat(teamId: string, options: { readonly after?: number; readonly limit: number }): Promise<readonly TeamMessage[]> {
    return this.tables.read([], () => chatOf(teamId, options));
  }

  mail(teamId: string, member: string, limit: number) {
    return this.tables.read<{ messages: readonly TeamMessage[]; turns: readonly WakeUp[] }>(
      { messages: [], turns: [] },
      function* () {
        const messages = yield* memberMail(teamId, member, limit);
        return { messages, turns: yield* wakeUpsOf(teamId, member, limit) };
      },
    );
  }

  sessions(teamId: string, limit: number): Promise<readonly Session[]> {
    return this.tables.read([], () => sessionsOf(teamId, limit));
  }

  inUse(person: string): Promise<string | undefined> {
    return this.tables.read(undefined, () => teamInUse(person));
  }

  followed(): Promise<number | undefined> {
    return this.tables.read(undefined, followed);
  }

  artifact(id: string): Promise<Artifact | undefined> {
    return this.tables.read(undefined, () => artifactOf(id));
  }

  artifacts(
    teamId: string,
    options: { readonly task?: string; readonly limit: number },
  ): Promise<readonly ArtifactMetadata[]> {
    return this.tables.read([], () => artifactsOf(teamId, options));
  }

  fault(thoroughly: boolean): Promise<TeamsFault | undefined> {
    return this.tables.fault(thoroughly);
  }

  restore(): Promise<readonly string[]> {
    return this.tables.restore();
  }

  close(): Promise<void> {
    return this.tables.close();
  }

  private *changed<Result>(decide: (view: TeamsView) => Queried<TeamPlan<Result>>): Statements<Result> {
    const plan = yield* runDecision(decide(TEAMS_VIEW), TEAM_ANSWERS);
    yield* writeTeamPlan(plan, this.tables.now());
    return plan.result;
  }
}
