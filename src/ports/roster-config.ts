import type { ConfigTree, RosterProject, Workgroup } from '#core/mail/config-tree.js';

/** Start of the search for the configuration of rosters. */
export interface RosterPlace {
  /** Home folder of the configuration, if given explicitly. */
  readonly home?: string | undefined;
  /** Otherwise the nearest home folder is searched from this absolute path upwards. */
  readonly from: string;
}

/**
 * Configuration of rosters. Read-only and bounded; every file is untrusted. Errors: `config_not_found`,
 * `config_invalid` with FILE:LINE:COLUMN, `unsafe_path`. An unreadable file that a catalogue lists is in the tree as
 * its error, which is not thrown.
 */
export interface RosterConfig {
  /** The whole configuration, from the office down. */
  tree(place: RosterPlace): Promise<ConfigTree>;
  /** Project in a folder, an absolute path. Its references are also looked up in the home folder, if there is one. */
  project(folder: string, place: RosterPlace): Promise<RosterProject>;
  /**
   * Workgroup in a file, an absolute path; if it does not exist, the workgroup of that name in the configuration of the
   * folder it would be in, or in the home folder. Its agents are those of the project around it, if there is one.
   */
  workgroup(file: string, place: RosterPlace): Promise<Workgroup>;
}
