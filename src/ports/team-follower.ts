import type { TeamChange } from '#core/team/team-change.js';

/** What followed from a change of the team beside its files. */
export interface TeamNews {
  /** Tasks that were taken off somebody, or passed on. */
  readonly tasks: readonly string[];
}

/**
 * Keeps something of the team beside its files. What it does belongs to the write of the team: before that is committed
 * nothing of it stands, and once it is, it is asked for again, also after a crash and by another process, until it stands.
 */
export interface TeamFollower {
  /** By which a record of a write knows it. */
  readonly name: string;
  /** Before a write is committed: refuses what could not be followed. Answers a mark that `follow` is handed again. */
  prepare(): Promise<number>;
  /** Brings it in line. The same change twice is the same as once. */
  follow(change: TeamChange, mark: number): Promise<TeamNews>;
}
