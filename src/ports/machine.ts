import type { PersonalFile } from '#core/runs/sign-in.js';

/** What this machine is, as far as it decides whether work can be done on it. */
export interface Machine {
  /** The version of Node that runs us: `20.20.2`. */
  readonly node: string;
  /** Whether the person has this file; it is never opened. */
  holds(file: PersonalFile): boolean;
}
