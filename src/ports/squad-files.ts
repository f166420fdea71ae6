import type { SquadPlan } from '#core/team/file-change.js';
import type { Proposal } from '#core/team/proposal.js';
import type { SquadState } from '#core/team/squad-state.js';
import type { SquadTexts } from '#core/team/squad-texts.js';
import type { Team } from '#core/team/team.js';
import type { TeamNews } from '#ports/team-follower.js';

/**
 * The cast team on disk (`.squad/`) and the one open proposal. A write that was cut off is finished or undone before
 * anything is read. Errors: `unsafe_path` (a link or an escaping path), `locked`, `read_only`, `disk_full`, `unreadable`,
 * `policy_invalid`, `layout_conflict`, `migration_required`.
 */
export interface SquadFiles {
  /** Everything casting looks at, at one moment. */
  read(): Promise<SquadState>;
  /** The same as plain texts, for those who look at state that cannot be read: `layout_conflict` and the like do not come up. */
  texts(): Promise<SquadTexts>;
  /** The team as the events tell it, undefined when nobody was ever cast. */
  readTeam(): Promise<Team | undefined>;
  /** The charter of a member, by name; undefined when there is none. */
  charter(name: string): Promise<string | undefined>;
  /**
   * Runs a decision on the present state and writes what it wants, all or nothing; one at a time across processes. A
   * decision that throws changes nothing. A write that fails half way is finished by whoever comes next, or put back whole
   * where the plan says `restore`. The proposal handed in is the stored one, expired or not. What belongs to the write beside
   * the files is done with it; `heard` is told what came of that.
   */
  apply<Result>(
    decide: (state: SquadState, proposal: Proposal | undefined) => SquadPlan<Result>,
    heard?: (news: TeamNews) => void,
  ): Promise<Result>;
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
