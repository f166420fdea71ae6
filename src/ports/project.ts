import type { GraphLayout } from '#kernel/graph-folder.js';

/** Where the store of a project is. Another way to keep it is another kind. */
export type StorePlace = { readonly kind: 'files'; readonly layout: GraphLayout };

/** Which project: found once, and passed on as this value. */
export interface Project {
  /** Names what is kept for it outside of its folder: 32 hexadecimal digits, the same for each process that finds it by the same path. */
  readonly id: string;
  readonly store: StorePlace;
  /** Absolute path. Undefined where only the store of another machine holds it. */
  readonly folder?: string;
}
