import type { PersonalFile } from '#core/runs/sign-in.js';

/** Facts about this machine that decide whether work can be done on it. */
export interface Machine {
  /** Version of Node.js that runs Troupe, for example `20.20.2`. */
  readonly node: string;
  /** Whether the person has this file. It is never opened. */
  holds(file: PersonalFile): boolean;
}
