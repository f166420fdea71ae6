import type { GraphLayout } from '#kernel/graph-folder.js';

/** Where the truth of a project is kept: in the files of its graph folder, or in a database, by its name there. */
export type StorePlace = { readonly kind: 'files' } | { readonly kind: 'database'; readonly name: string };

/** Which project: found once, and passed on as this value. */
export interface Project {
  /**
   * Names what is kept for it outside of its folder: 32 hexadecimal digits that follow from its path. A name in the repository would be
   * the same in every clone.
   */
  readonly id: string;
  /** The graph folder on this machine: settings, runs, worktrees, the service, and the graph where that is kept in files. */
  readonly layout: GraphLayout;
  readonly store: StorePlace;
  /** Absolute path. Undefined where only the store of another machine holds it. */
  readonly folder?: string;
}
