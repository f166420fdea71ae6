import { BRANCH_TEMPLATE } from './branch-template.js';

/** Names of branches as the settings have them; attempts made under an earlier setting keep theirs. */
export interface Layout {
  /** Template of branches: `wg/{task}/{attempt}`. */
  readonly branch: string;
}

export const DEFAULT_LAYOUT: Layout = { branch: BRANCH_TEMPLATE };
