import type { RoleProblem } from '#core/roles/lane.js';
import type { RoleWriter } from '#core/roles/writers.js';

/** Texts by path relative to the root of the repository, for example `.claude/roles/crew.md`, byte for byte. */
export type RoleTexts = ReadonlyMap<string, string>;

export interface RoleFolder {
  /** All of `.claude/roles/*.md` and the logs of the lanes that exist. */
  readonly texts: RoleTexts;
  /** Paths that were not read: links, folders, files that are too large. */
  readonly problems: readonly RoleProblem[];
}

/** A role proposal as unvalidated data. */
export interface RoleProposalRecord {
  readonly id: string;
  readonly value: unknown;
}

/** Proposals by id, and one warning per file that could not be read. */
export interface RoleProposals {
  readonly records: readonly RoleProposalRecord[];
  readonly warnings: readonly string[];
}

/** Present roles during a change, which excludes other writers of Troupe. */
export interface PresentRoles {
  readonly texts: RoleTexts;
  proposals(): Promise<RoleProposals>;
}

/**
 * New texts of whole files, and texts of proposals by id. If both are empty, nothing is written and no folder is
 * created.
 */
export interface RoleUpdate {
  readonly texts: RoleTexts;
  readonly proposals: ReadonlyMap<string, string>;
}

/**
 * Writes files atomically together with a commit. `commit` receives the name of the change, empty if no file changes,
 * and returns whether it was committed; if it was not, or the process crashed before it, the files are restored.
 * `from`: position in the log after which the entry of the commit may be; undefined if the change is not recorded in a
 * log.
 */
export type WriteRoles = (
  wanted: RoleUpdate,
  from: number | undefined,
  commit: (change: string) => Promise<boolean>,
) => Promise<void>;

/** Effects of a change outside of the role files. */
export interface RoleOutcome {
  /** Whether the log has an entry of the change with this name after position `from`. */
  committed(change: string, from: number): Promise<boolean>;
  /** Updates data derived from the written proposals. Idempotent. */
  follow(written: readonly RoleProposalRecord[], texts: RoleTexts): Promise<void>;
}

/**
 * Role files of one repository, and the proposals to change them. Nothing is cached. Errors: `locked`, `read_only`,
 * `disk_full`.
 */
export interface RoleFiles {
  /** Returns the role files, after an interrupted change has been completed or undone. */
  read(): Promise<RoleFolder>;
  /** Stored proposals: untrusted text, bounded in size; links are not followed. */
  proposals(): Promise<RoleProposals>;
  /**
   * Runs `work` exclusively across processes. Each file is written atomically, and only if it is unchanged since `work`
   * read it. If an editor or git was faster, nothing is written and `work` runs again, at most three times in all.
   * Errors of `work` are rethrown. Other errors: `roles_conflict` after the last attempt; `not_lane_writer` if the
   * writer may not make the change; `unsafe_path` for links.
   */
  change<Result>(writer: RoleWriter, work: (now: PresentRoles, write: WriteRoles) => Promise<Result>): Promise<Result>;
  /** As `change`, for work that can be postponed. Errors: `locked`, at once, if another process is writing. */
  changeUnlessBusy<Result>(
    writer: RoleWriter,
    work: (now: PresentRoles, write: WriteRoles) => Promise<Result>,
  ): Promise<Result>;
}
