import type { Starter } from '#core/roles/starters.js';

/** Shipped roles. */
export interface RoleStarters {
  /** Text of the file to be created in the repository. Errors: `unreadable`. */
  text(name: Starter): Promise<string>;
}
