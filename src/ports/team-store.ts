import type { Artifact, ArtifactMetadata } from '#core/teams/artifacts.js';
import type { TeamPlan, TeamsView } from '#core/teams/changes.js';
import type { TeamMessage } from '#core/teams/mail.js';
import type { Session } from '#core/teams/session.js';
import type { Strata } from '#core/teams/strata.js';
import type { WakeUp } from '#core/teams/talk.js';
import type { Team, TeamReference, TeamSummary } from '#core/teams/team.js';
import type { TeamEvent } from '#core/teams/team-events.js';
import type { Queried } from '#kernel/query.js';
import type { KnownRequest } from '#kernel/request.js';

/** Reason why the store of teams and messages cannot be used. */
export interface TeamsFault {
  readonly code: 'gone' | 'damaged' | 'newer' | 'unusable';
  /** A sentence. */
  readonly text: string;
  /** Date of the copy that `restore` would use, `YYYY-MM-DD`; null if there is none, or none that is intact. */
  readonly copy: string | null;
}

/**
 * Teams, their members and their events. An unknown stored value is `data_corrupt`, never a default. Reading does not
 * create a store. Other errors: `schema_newer`, `migration_changed`, `locked`, `disk_full`, `read_only`, `unsafe_path`,
 * `sqlite_missing`.
 */
export interface TeamStore {
  /**
   * Calls a decision, answers its queries, and writes its plan, in one transaction that excludes other writers. If the
   * decision throws, nothing is written. It may be called more than once.
   */
  change<Result>(decide: (view: TeamsView) => Queried<TeamPlan<Result>>): Promise<Result>;
  /**
   * As `change`, but idempotent: a repeated request changes nothing and returns the first result, which must be plain
   * data. Other errors: `request_id_reused`.
   */
  changeOnce<Result>(request: KnownRequest, decide: (view: TeamsView) => Queried<TeamPlan<Result>>): Promise<Result>;
  getTeam(id: string): Promise<Team | undefined>;
  /** Names of all teams. */
  labels(): Promise<readonly TeamReference[]>;
  /** Teams at work first, among them those with the latest messages, then the latest started ones; at most `limit`. */
  listTeams(limit: number): Promise<readonly TeamSummary[]>;
  /**
   * Events of a team, oldest first: the first `limit` after number `after`, or the latest `limit` if it is undefined.
   */
  events(teamId: string, options: { readonly after?: number; readonly limit: number }): Promise<readonly TeamEvent[]>;
  /** All versions of a team's plan, oldest first. */
  strata(teamId: string): Promise<readonly Strata[]>;
  /**
   * Messages of a team, oldest first: the first `limit` after number `after`, or the latest `limit` if it is undefined.
   */
  chat(teamId: string, options: { readonly after?: number; readonly limit: number }): Promise<readonly TeamMessage[]>;
  /** Latest messages for one member, in order, and the member's latest turns, latest first; at most `limit` of each. */
  mail(
    teamId: string,
    member: string,
    limit: number,
  ): Promise<{ messages: readonly TeamMessage[]; turns: readonly WakeUp[] }>;
  /** Id of the team that a person works with. */
  inUse(person: string): Promise<string | undefined>;
  /** Sessions of a team, latest first, at most `limit`. */
  sessions(teamId: string, limit: number): Promise<readonly Session[]>;
  /** Position in the graph's log up to which teams have followed it; undefined before the first work of a team. */
  followed(): Promise<number | undefined>;
  /** An artifact with its bytes. Errors: `artifact_corrupt` if they differ from the stored hash. */
  artifact(id: string): Promise<Artifact | undefined>;
  /** Artifacts of a team or of one of its tasks, latest first, at most `limit`. */
  artifacts(
    teamId: string,
    options: { readonly task?: string; readonly limit: number },
  ): Promise<readonly ArtifactMetadata[]>;
  /**
   * Fault that makes the store unusable; undefined if there is none, or if there is no store. `thoroughly`: reads the
   * whole store. Never throws because of a fault.
   */
  fault(thoroughly: boolean): Promise<TeamsFault | undefined>;
  /**
   * Replaces a damaged or missing store by its latest copy, and keeps the damaged one aside. Returns one sentence per
   * action. Errors: `locked`.
   */
  restore(): Promise<readonly string[]>;
  close(): Promise<void>;
}
