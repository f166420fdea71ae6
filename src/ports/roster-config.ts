import type { ConfigTree, RosterProject, Workgroup } from '#core/roster/config-tree.js';

/** Where the configuration of rosters is looked for. */
export interface RosterPlace {
  /** The home folder, when somebody names it. */
  readonly home?: string | undefined;
  /** Else the nearest one upwards from here; an absolute path. */
  readonly from: string;
}

/**
 * The configuration of rosters: read only, bounded, each file as foreign text. Errors: `config_not_found`, `config_invalid`
 * with FILE:LINE:COLUMN, `unsafe_path`. What a catalogue names and cannot be read is in the tree as the error it would be.
 */
export interface RosterConfig {
  /** All of it, from the office down. */
  tree(place: RosterPlace): Promise<ConfigTree>;
  /** The project in this folder, an absolute path; its references are looked for at home too, where there is one. */
  project(folder: string, place: RosterPlace): Promise<RosterProject>;
  /**
   * The workgroup in this file, an absolute path; where there is none, the one of that name in the configuration of the folder it would
   * be in, or at home. Its agents are those of the project around it, where there is one.
   */
  workgroup(file: string, place: RosterPlace): Promise<Workgroup>;
}
