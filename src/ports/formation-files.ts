/** File of a run. Its content is untrusted. */
export type FormationFile =
  | { readonly text: string; readonly sha256: string }
  | { readonly text?: undefined; readonly problem: string };

/** Parsed data of a text, or the reason why it cannot be parsed. */
export type FormationData = { readonly data: unknown } | { readonly problem: string };

/**
 * Files of the runs of crews, panels and sweeps. `folder`: folder of a run, relative to the top of the project. `name`:
 * path within it. Links are not followed, neither as a file nor as a folder on the path.
 */
export interface FormationFiles {
  /**
   * Reads a text of at most `most` bytes. Anything else at this path is returned as a problem, not thrown. `within`:
   * top of a worktree of the project to read in instead of the project.
   */
  read(folder: string, name: string, most: number, within?: string): Promise<FormationFile>;
  /** Parses YAML strictly: ambiguous constructs are a problem, with their line. */
  parse(text: string): Promise<FormationData>;
  /**
   * Writes a file atomically and creates the folders on its path; `within` as in `read`. Errors: `unsafe_path`,
   * `read_only`, `disk_full`.
   */
  write(folder: string, name: string, text: string, within?: string): Promise<void>;
  /** Stores the gate's record of a crew run, for readers that have no access to the graph. */
  keepGateRecord(run: string, text: string): Promise<void>;
  /**
   * Moves a file into a subfolder of the run's folder, replacing a file of the same name there. Does nothing if it does
   * not exist. Errors: as `write`.
   */
  putAside(folder: string, name: string, into: string): Promise<void>;
}
