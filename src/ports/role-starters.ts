import type { Starter } from '#core/lanes/starters.js';

/** The roles that are shipped. */
export interface RoleStarters {
  /** The whole text, as it becomes a file of the repository. Errors: `unreadable`. */
  text(name: Starter): Promise<string>;
}
