import type { Artifact, ArtifactLabel } from '#core/teams/artifacts.js';
import type { TeamPlan, TeamsView } from '#core/teams/changes.js';
import type { TeamMessage } from '#core/teams/mail.js';
import type { Session } from '#core/teams/session.js';
import type { Strata } from '#core/teams/strata.js';
import type { WakeUp } from '#core/teams/talk.js';
import type { Team, TeamLabel, TeamSummary } from '#core/teams/team.js';
import type { TeamEvent } from '#core/teams/team-events.js';
import type { Queried } from '#kernel/query.js';
import type { KnownRequest } from '#kernel/request.js';

/** Why what is kept of teams and messages cannot be used. */
export interface TeamsFault {
  readonly code: 'gone' | 'damaged' | 'newer' | 'unusable';
  /** A sentence. */
  readonly text: string;
  /** The day of the copy that `restore` would put in its place, `YYYY-MM-DD`; null where there is none, or none that helps. */
  readonly copy: string | null;
}

/**
 * Teams, their members and what happened to them. A value it does not know is `data_corrupt`, never a default. Looking makes no store
 * where nothing was ever kept. Other errors: `schema_newer`, `migration_changed`, `locked`, `disk_full`, `read_only`, `unsafe_path`,
 * `sqlite_missing`.
 */
export interface TeamStore {
  /**
   * Answers what a decision asks while nobody else changes the teams, and writes its plan in the same step. A decision that throws
   * changes nothing; one may be begun anew.
   */
  change<Result>(decide: (view: TeamsView) => Queried<TeamPlan<Result>>): Promise<Result>;
  /**
   * As `change`, once for each request: asked again, it changes nothing and answers the same, which is plain data. Errors besides:
   * `request_id_reused`.
   */
  changeOnce<Result>(request: KnownRequest, decide: (view: TeamsView) => Queried<TeamPlan<Result>>): Promise<Result>;
  /** By its id. */
  getTeam(id: string): Promise<Team | undefined>;
  /** What every team is called. */
  labels(): Promise<readonly TeamLabel[]>;
  /** Those at work first, among them those that spoke last, then those that began last; at most `limit`. */
  listTeams(limit: number): Promise<readonly TeamSummary[]>;
  /** The events of a team after a number, the oldest first, at most `limit`; without a number, the latest. */
  events(teamId: string, options: { readonly after?: number; readonly limit: number }): Promise<readonly TeamEvent[]>;
  /** All versions of the plan of a team, the oldest first. */
  strata(teamId: string): Promise<readonly Strata[]>;
  /** The messages of a team after a number, the oldest first, at most `limit`; without a number, the latest. */
  chat(teamId: string, options: { readonly after?: number; readonly limit: number }): Promise<readonly TeamMessage[]>;
  /** The latest messages that are for one member, in order, at most `limit`; and the member's latest turns, the last one first. */
  mail(
    teamId: string,
    member: string,
    limit: number,
  ): Promise<{ messages: readonly TeamMessage[]; turns: readonly WakeUp[] }>;
  /** The id of the team that a person works with. */
  inUse(person: string): Promise<string | undefined>;
  /** The sessions of a team, the latest first, at most `limit`. */
  sessions(teamId: string, limit: number): Promise<readonly Session[]>;
  /** Up to which entry the log of the graph was followed; undefined before the first work of a team. */
  followed(): Promise<number | undefined>;
  /** With its bytes, as they were kept: `artifact_corrupt` where they are others by now. */
  artifact(id: string): Promise<Artifact | undefined>;
  /** What a team, or one task of it, handed in, the latest first, at most `limit`. */
  artifacts(
    teamId: string,
    options: { readonly task?: string; readonly limit: number },
  ): Promise<readonly ArtifactLabel[]>;
  /**
   * What keeps teams and messages from being used; undefined where they can be, or where nothing was ever kept. `thoroughly` reads all of
   * it. Never throws for what it finds.
   */
  fault(thoroughly: boolean): Promise<TeamsFault | undefined>;
  /** Puts the latest copy in the place of what is damaged or gone, which is kept aside; answers what it did, a sentence each. `locked`. */
  restore(): Promise<readonly string[]>;
  close(): Promise<void>;
}
