import type { RunTree } from '#ports/attempt-trees.js';

/** A run that is about to begin, as its sandbox needs to know it. */
export interface SandboxedRun {
  readonly folder: string;
  /** The folder in which the service listens for this run alone. */
  readonly door: string;
  /** The client; undefined for a command. */
  readonly executor: string | undefined;
  /** Undefined where it works in the project. */
  readonly tree: RunTree | undefined;
  /** The review that it is a step of. */
  readonly review: string | undefined;
}

/** Whether runs are kept to their places, and if not, why. */
export interface SandboxStanding {
  readonly state: 'works' | 'off' | 'missing';
  /** By which program of the system. */
  readonly by: string;
  /** One sentence; empty where it works. */
  readonly why: string;
}

/** Keeps runs to their places by means of the operating system. */
export interface Sandbox {
  /** Tried once and remembered; the settings are read each time. */
  standing(): Promise<SandboxStanding>;
  /**
   * Words to put before a program and its arguments; none where runs are not kept to their places. Makes the folders that the
   * run needs. Errors: `sandbox_missing` where the settings require a sandbox and there is none.
   */
  words(run: SandboxedRun): Promise<readonly string[]>;
}
