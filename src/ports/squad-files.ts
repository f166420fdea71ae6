import type { Proposal } from '#core/casting/proposal.js';
import type { Inbox, LedgerFile } from '#core/memory/memory-ledger.js';
import type { SquadPlan, SquadTexts } from '#core/squad/file-change.js';
import type { SquadState } from '#core/squad/squad-state.js';
import type { CastTeam } from '#core/squad/team.js';
import type { TeamChange } from '#core/squad/team-change.js';

/**
 * The cast team on disk (`.squad/`) and the one open proposal. A write that was cut off is undone, or finished if it was
 * committed, before anything is read. Errors: `unsafe_path` (a link or an escaping path), `locked`, `read_only`, `disk_full`, `unreadable`,
 * `policy_invalid`, `layout_conflict`, `migration_required`.
 */
export interface SquadFiles {
  /** Everything casting looks at, at one moment. */
  read(): Promise<SquadState>;
  /** The same as plain texts, for those who look at state that cannot be read: `layout_conflict` and the like do not come up. */
  texts(): Promise<SquadTexts>;
  /** The team as the events tell it, undefined when nobody was ever cast. */
  readTeam(): Promise<CastTeam | undefined>;
  /** The charter of a member, by name; undefined when there is none. */
  charter(name: string): Promise<string | undefined>;
  /**
   * Runs a decision on the present state and writes what it wants, all or nothing; one at a time across processes. A
   * decision that throws changes nothing, and a write that fails half way is undone. The proposal handed in is the stored one,
   * expired or not. A change of who is on the team is committed by the log; `onNews` is told its consequences.
   */
  apply<Result>(decide: SquadDecision<Result>, onNews?: (news: TeamNews) => void): Promise<Result>;
  /** Like `apply`, on the plain texts: for what puts state right that no other write may touch. */
  mend<Result>(decide: (texts: SquadTexts) => SquadPlan<Result>): Promise<Result>;
  /** Tells those who keep something of the team elsewhere how it is, for where they lost it. Nothing is written here. */
  retell(): Promise<void>;
  /** The stored proposal, expired or not; undefined when there is none. */
  proposal(): Promise<Proposal | undefined>;
  /**
   * Puts a proposal in the place of the stored one. `proposal_superseded` when that one was made after `requestedAt`
   * (milliseconds since 1970): the newest request wins, not the slowest.
   */
  saveProposal(proposal: Proposal, requestedAt: number): Promise<void>;
  /** Puts in the place of the stored proposal what a decision makes of it; a decision that throws changes nothing. */
  amendProposal(decide: (state: SquadState, proposal: Proposal | undefined) => Proposal): Promise<Proposal>;
  /** Takes the stored proposal away if it is the one named. False when it is not. */
  dropProposal(proposalId: string): Promise<boolean>;
}

/** A decision on the team, which may look at what the team remembers; it asks no model. */
export type SquadDecision<Result> = (
  state: SquadState,
  proposal: Proposal | undefined,
  read: LedgerReader,
) => SquadPlan<Result> | Promise<SquadPlan<Result>>;

/** Consequences of a change of the team for the graph. */
export interface TeamNews {
  /** Tasks that were taken off somebody, or passed on. */
  readonly tasks: readonly string[];
}

/** The log of the graph, which commits a change of the team. */
export interface TeamCommits {
  /** The last position; undefined where there is no graph. Errors: those of a log that cannot be written. */
  end(): Promise<number | undefined>;
  /** Enters a change under this name, in one commit with its consequences for tasks. */
  enter(change: TeamChange, name: string): Promise<TeamNews>;
  /** Whether there is an entry of this name after the position. */
  has(name: string, after: number): Promise<boolean>;
}

/** Keeps something of the team beside its files, and follows each change after its commit, as often as it takes. */
export interface TeamFollower {
  /** Before a write is committed: refuses what could not be followed. */
  prepare(): Promise<void>;
  /** Brings it in line. The same change twice is the same as once. */
  follow(change: TeamChange): Promise<void>;
}

/** What a change of the ledger looks at first. */
export interface LedgerReader {
  /** The file that every clone adds to; the same object as long as it is the same file. */
  events(): Promise<LedgerFile | undefined>;
  inbox(): Promise<Inbox>;
  /** Undefined when there is none. */
  file(path: string): Promise<LedgerFile | undefined>;
  /** Slugs that have a folder among the agents. */
  members(): Promise<ReadonlySet<string>>;
  /** Paths of what was put aside. */
  archived(): Promise<ReadonlySet<string>>;
}

/**
 * The files of the squad that tell what the team remembers. What is no plain text of ours to read (a link, other bytes, too
 * large) is said to be so and never written. Errors: `unsafe_path` where a folder is a link, `locked`, `read_only`,
 * `disk_full`, `unreadable`.
 */
export interface LedgerFiles {
  /** Looks, while others may write. */
  look<Result>(work: (read: LedgerReader) => Promise<Result>): Promise<Result>;
  /**
   * Alone among all who write files of the squad: looks, decides, and writes what is wanted, all or nothing. The decision may ask
   * what is remembered, and asks no model.
   */
  change<Result>(decide: (read: LedgerReader) => Promise<SquadPlan<Result>>): Promise<Result>;
}

/** What of `.squad/` is not as the last commit has it. */
export interface SyncStatus {
  readonly changes: readonly { readonly path: string; readonly kind: 'added' | 'modified' | 'deleted' }[];
  /** Names exactly these changes; empty when there are none. */
  readonly hash: string;
}

/**
 * `.squad/` and git: what is changed there, and a commit of that and of nothing else. Looking leaves the repository as it
 * is. Errors of all: `sync_unavailable` (no repository, or something is open in it), `git_missing`, `git_failed`.
 */
export interface SquadSync {
  status(): Promise<SyncStatus>;
  /** The same as a patch to read, cut to a bound. */
  difference(): Promise<{ readonly text: string; readonly cut: boolean }>;
  /**
   * Commits what `expected` names, as the person and with the hooks of the repository. What is staged elsewhere stays staged.
   * Errors: `nothing_to_sync`, `sync_state_changed` (it is no longer what was looked at, or a hook changed it).
   */
  commit(expected: string, message: string): Promise<SyncStatus & { readonly commit: string }>;
}
