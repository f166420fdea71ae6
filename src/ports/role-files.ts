import type { RoleProblem } from '#core/lanes/lane.js';
import type { RoleWriter } from '#core/lanes/writers.js';

/** Texts by their path from the root of the repository, e.g. `.claude/roles/crew.md`, byte for byte. */
export type RoleTexts = ReadonlyMap<string, string>;

export interface RoleFolder {
  /** All of `.claude/roles/*.md` and the logs of the lanes. What is not there has no entry. */
  readonly texts: RoleTexts;
  /** Files that were left alone: links, folders, too large ones. */
  readonly problems: readonly RoleProblem[];
}

/** A proposal of a role as data. */
export interface RoleProposalRecord {
  readonly id: string;
  readonly value: unknown;
}

/** Proposals by id, and warnings about what could not be read. */
export interface RoleProposals {
  readonly records: readonly RoleProposalRecord[];
  readonly warnings: readonly string[];
}

/** The roles as they are while nobody else of ours changes them. */
export interface RolesNow {
  readonly texts: RoleTexts;
  proposals(): Promise<RoleProposals>;
}

/** The whole new texts of files, and the texts of proposals by id. Nothing of both: nothing is written, and no folder made. */
export interface RoleWants {
  readonly texts: RoleTexts;
  readonly proposals: ReadonlyMap<string, string>;
}

/**
 * Writes files together with a commit: `commit` is told the name of the change, empty where no file changes, and answers whether
 * it was made; otherwise, and after a crash before it, the files are as they were. `from`: position in the log after which its
 * entry may stand; undefined where no log is told.
 */
export type WriteRoles = (
  wanted: RoleWants,
  from: number | undefined,
  commit: (change: string) => Promise<boolean>,
) => Promise<void>;

/** Everything outside of the role files that belongs to their changes. */
export interface RoleOutcome {
  /** Whether the log has an entry with the name of this change after `from`. */
  committed(change: string, from: number): Promise<boolean>;
  /** Brings in line what follows from proposals that were written. Done twice it is done once. */
  follow(written: readonly RoleProposalRecord[], texts: RoleTexts): Promise<void>;
}

/** The role files of one repository and the proposals to change them. Nothing is kept in memory. Errors: `locked`, `read_only`, `disk_full`. */
export interface RoleFiles {
  /** After what was left half-way was finished or undone. */
  read(): Promise<RoleFolder>;
  /** As they lie there: foreign text, bounded, never reached through a link. */
  proposals(): Promise<RoleProposals>;
  /**
   * One change at a time, across processes, each file whole and only if it is as `work` saw it. Where an editor or git was
   * faster, nothing is written and `work` is asked again, three times in all. Errors: `roles_conflict`; `not_lane_writer`
   * where the writer may not change what is wanted; `unsafe_path` for links. What `work` throws is thrown on.
   */
  change<Result>(writer: RoleWriter, work: (now: RolesNow, write: WriteRoles) => Promise<Result>): Promise<Result>;
  /** The same for what can be done another time: `locked` at once where somebody else is writing. */
  changeUnlessBusy<Result>(
    writer: RoleWriter,
    work: (now: RolesNow, write: WriteRoles) => Promise<Result>,
  ): Promise<Result>;
}
