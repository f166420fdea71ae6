import type { TeamPlan, TeamsView } from '#core/teams/changes.js';
import type { Team, TeamLabel, TeamSummary } from '#core/teams/team.js';
import type { TeamEvent } from '#core/teams/team-events.js';

/**
 * Teams, their members and what happened to them. A value it does not know is `data_corrupt`, never a default. Looking makes no store
 * where nothing was ever kept. Other errors: `schema_newer`, `migration_changed`, `locked`, `disk_full`, `read_only`, `unsafe_path`,
 * `sqlite_missing`.
 */
export interface TeamStore {
  /**
   * Decides on the teams as they are while nobody else changes them, and writes team and events of the plan in the same step. A
   * decision that throws changes nothing.
   */
  change<Result>(decide: (view: TeamsView) => TeamPlan<Result>): Promise<Result>;
  /** By its id. */
  getTeam(id: string): Promise<Team | undefined>;
  /** What every team is called. */
  labels(): Promise<readonly TeamLabel[]>;
  /** Those at work first, then the latest; at most `limit`. */
  listTeams(limit: number): Promise<readonly TeamSummary[]>;
  /** The events of a team after a number, the oldest first, at most `limit`; without a number, the latest. */
  events(teamId: string, options: { readonly after?: number; readonly limit: number }): Promise<readonly TeamEvent[]>;
  close(): Promise<void>;
}
