import type { Proposal } from '#core/casting/proposal.js';
import type { SquadPlan, SquadTexts } from '#core/squad/file-change.js';
import type { Inbox, LedgerFile } from '#core/squad/memory-ledger.js';
import type { SquadState } from '#core/squad/squad-state.js';
import type { CastTeam } from '#core/squad/team.js';
import type { TeamChange } from '#core/squad/team-change.js';

/**
 * Cast team on disk (`.squad/`), and the one open proposal. Before anything is read, an interrupted write is undone, or
 * completed if it was committed. Errors: `unsafe_path` (a link or an escaping path), `locked`, `read_only`,
 * `disk_full`, `unreadable`, `policy_invalid`, `layout_conflict`, `migration_required`.
 */
export interface SquadFiles {
  /** Consistent state of all files that casting reads. */
  read(): Promise<SquadState>;
  /**
   * The same files as unparsed texts, for examining a state that cannot be parsed: errors such as `layout_conflict` do
   * not occur.
   */
  texts(): Promise<SquadTexts>;
  /** Team according to its events; undefined if no team was ever cast. */
  readTeam(): Promise<CastTeam | undefined>;
  /** Charter of a member, by name; undefined if there is none. */
  charter(name: string): Promise<string | undefined>;
  /**
   * Runs a decision on the present state and writes its changes, all or nothing; exclusive across processes. If the
   * decision throws, nothing is written; a write that fails midway is undone. The decision receives the stored
   * proposal, expired or not. A change of the members is committed by the log, and `onNews` is called with its
   * consequences.
   */
  apply<Result>(decide: SquadDecision<Result>, onNews?: (news: TeamConsequences) => void): Promise<Result>;
  /** As `apply`, but on the unparsed texts: for repairs of a state that `apply` rejects. */
  repairTexts<Result>(decide: (texts: SquadTexts) => SquadPlan<Result>): Promise<Result>;
  /** Sends the present team to all followers again, in case they lost it. Writes nothing here. */
  notifyFollowers(): Promise<void>;
  /** Stored proposal, expired or not; undefined if there is none. */
  proposal(): Promise<Proposal | undefined>;
  /**
   * Replaces the stored proposal. Errors: `proposal_superseded` if the stored one was created after `requestedAt`
   * (milliseconds since 1970): the newest request wins, not the slowest.
   */
  saveProposal(proposal: Proposal, requestedAt: number): Promise<void>;
  /** Replaces the stored proposal by the result of a decision; if the decision throws, nothing changes. */
  amendProposal(decide: (state: SquadState, proposal: Proposal | undefined) => Proposal): Promise<Proposal>;
  /** Deletes the stored proposal if it has this id. False otherwise. */
  dropProposal(proposalId: string): Promise<boolean>;
}

/** A decision about the team. It may query the team's memory, but calls no model. */
export type SquadDecision<Result> = (
  state: SquadState,
  proposal: Proposal | undefined,
  read: LedgerReader,
) => SquadPlan<Result> | Promise<SquadPlan<Result>>;

/** Consequences of a change of the team for the graph. */
export interface TeamConsequences {
  /** Tasks that were taken from a member, or passed to another. */
  readonly tasks: readonly string[];
}

/** Log of the graph, which commits changes of the team. */
export interface TeamCommits {
  /** Last position; undefined if there is no graph. Errors: those of a log that cannot be written. */
  end(): Promise<number | undefined>;
  /** Records a change under this name, in one commit with its consequences for tasks. */
  enter(change: TeamChange, name: string): Promise<TeamConsequences>;
  /** Whether the log has an entry of this name after the position. */
  has(name: string, after: number): Promise<boolean>;
}

/**
 * Data about the team outside of its files. It is updated after the commit of each change, and again until that
 * succeeds.
 */
export interface TeamFollower {
  /** Called before a write is committed. Rejects changes that it could not follow. */
  prepare(): Promise<void>;
  /** Applies a change. Idempotent. */
  follow(change: TeamChange): Promise<void>;
}

/** Reads memory files for a change of them. */
export interface LedgerReader {
  /** Event file, to which every clone appends; the same object as long as the file is unchanged. */
  events(): Promise<LedgerFile | undefined>;
  inbox(): Promise<Inbox>;
  /** Undefined if it does not exist. */
  file(path: string): Promise<LedgerFile | undefined>;
  /** Slugs with a folder in `agents`. */
  members(): Promise<ReadonlySet<string>>;
  /** Paths of files that were put aside. */
  archived(): Promise<ReadonlySet<string>>;
}

/**
 * Memory files of the squad. A path that is not a readable text file (a link, other bytes, too large) is reported as
 * that and never written. Errors: `unsafe_path` for a folder that is a link, `locked`, `read_only`, `disk_full`,
 * `unreadable`.
 */
export interface LedgerFiles {
  /** Reads without a lock: others may write meanwhile. */
  look<Result>(work: (read: LedgerReader) => Promise<Result>): Promise<Result>;
  /**
   * Reads, decides and writes, all or nothing, excluding all other writers of squad files. The decision may query the
   * memory, but calls no model.
   */
  change<Result>(decide: (read: LedgerReader) => Promise<SquadPlan<Result>>): Promise<Result>;
}

/** Differences between `.squad/` and the last commit. */
export interface SyncStatus {
  readonly changes: readonly { readonly path: string; readonly kind: 'added' | 'modified' | 'deleted' }[];
  /** Hash that identifies exactly these changes; empty if there are none. */
  readonly hash: string;
}

/**
 * Git status of `.squad/`, and a commit of its changes only. Reading does not modify the repository. Errors:
 * `sync_unavailable` (no repository, or a git operation is in progress), `git_missing`, `git_failed`.
 */
export interface SquadSync {
  status(): Promise<SyncStatus>;
  /** The differences as a readable patch, truncated to a limit; `cut` tells whether it was truncated. */
  difference(): Promise<{ readonly text: string; readonly cut: boolean }>;
  /**
   * Commits the changes identified by `expected`, as the person and with the hooks of the repository. Other staged
   * changes stay staged. Errors: `nothing_to_sync`, `sync_state_changed` (the state differs from the expected one, or a
   * hook changed it).
   */
  commit(expected: string, message: string): Promise<SyncStatus & { readonly commit: string }>;
}
