import type { GraphLayout } from '#kernel/graph-folder.js';

/** Storage of the project's graph: files in its graph folder, or a database, by the project's name there. */
export type StorePlace = { readonly kind: 'files' } | { readonly kind: 'database'; readonly name: string };

/** Identity and location of a project, resolved once and passed on. */
export interface Project {
  /**
   * Key for data about the project outside of its folder: 32 hexadecimal digits derived from its path. A name stored in
   * the repository would be the same in every clone.
   */
  readonly id: string;
  /** Graph folder on this machine: settings, runs, worktrees, the service, and the graph if it is stored in files. */
  readonly layout: GraphLayout;
  readonly store: StorePlace;
  /** Absolute path; undefined if only the store of another machine has the project. */
  readonly folder?: string;
}
