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

export interface RoleChange<Result> {
  /** The whole new texts of those files that change; none: nothing is written, and no folder made. */
  readonly texts: RoleTexts;
  readonly result: Result;
}

/** The role files of one repository. Nothing is kept in memory; nothing is written by reading. */
export interface RoleFiles {
  read(): Promise<RoleFolder>;
  /**
   * Asks for a change of the present texts and writes it: each file whole, and only if it is as `change` saw it. Where
   * somebody was faster, `change` is asked again with what is there now, three times in all: of several files, some may
   * have been written by then, so it has to be the same change twice. Errors: `roles_conflict`;
   * `not_lane_writer` where the writer may not change what `change` wants changed; `unsafe_path` for links. What
   * `change` throws is thrown on, and nothing is written.
   */
  write<Result>(writer: RoleWriter, change: (texts: RoleTexts) => RoleChange<Result>): Promise<Result>;
  /** The same for what can be done another time: `locked` at once where somebody else is writing. */
  writeUnlessBusy<Result>(writer: RoleWriter, change: (texts: RoleTexts) => RoleChange<Result>): Promise<Result>;
}
