/** A file of a run as it lies there. Whoever wrote it is not to be trusted. */
export type FormationFile =
  | { readonly text: string; readonly sha256: string }
  | { readonly text?: undefined; readonly problem: string };

/** What a text says as data, or why it is none. */
export type FormationData = { readonly data: unknown } | { readonly problem: string };

/**
 * The files of the runs of crews, panels and sweeps: `folder` is that of a run from the top of the project, `name` a path
 * within it. No link is followed, neither of a file nor of a folder on the way.
 */
export interface FormationFiles {
  /**
   * A text of at most `most` bytes; what is no such file is a problem and no error. `within` is the top of a worktree of the project to
   * look in instead of the project.
   */
  read(folder: string, name: string, most: number, within?: string): Promise<FormationFile>;
  /** YAML, read strictly: what could mean more than it says is a problem, with its line. */
  parse(text: string): Promise<FormationData>;
  /**
   * Puts a file in its place, whole or not at all, and makes the folders on the way; `within` as of `read`. Errors: `unsafe_path`,
   * `read_only`, `disk_full`.
   */
  write(folder: string, name: string, text: string, within?: string): Promise<void>;
  /** Keeps what the gate of a crew knows of a run, for whoever cannot read the graph. */
  keepGateRecord(run: string, text: string): Promise<void>;
  /** Moves a file into a folder within that of the run, over one of its name there. Nothing where there is no such file. Errors: as `write`. */
  putAside(folder: string, name: string, into: string): Promise<void>;
}
