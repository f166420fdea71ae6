import type { GraphLayout } from '#kernel/graph-folder.js';

/** Where the store of a project is. Another way to keep it is another kind. */
export type StorePlace = { readonly kind: 'files'; readonly layout: GraphLayout };

/** Which project: found once, and passed on as this value. */
export interface Project {
  /**
   * Names what is kept for it outside of its folder: 32 hexadecimal digits that follow from its path. A name in the repository would be
   * the same in every clone.
   */
  readonly id: string;
  readonly store: StorePlace;
  /** Absolute path. Undefined where only the store of another machine holds it. */
  readonly folder?: string;
}
