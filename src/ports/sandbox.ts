import type { RunTree } from '#ports/attempt-trees.js';

/** A run that is about to start, as far as its sandbox needs to know. */
export interface SandboxedRun {
  readonly folder: string;
  /** Folder in which the service listens for this run alone. */
  readonly door: string;
  /** Client; undefined for a run of a command. */
  readonly executor: string | undefined;
  /** Worktree; undefined for a run in the project itself. */
  readonly tree: RunTree | undefined;
  /** Review that the run is a step of. */
  readonly review: string | undefined;
}

/** Whether runs are sandboxed, and if not, why. */
export interface SandboxStatus {
  readonly state: 'works' | 'off' | 'missing';
  /** Program of the operating system that provides the sandbox. */
  readonly by: string;
  /** One sentence; empty if the sandbox works. */
  readonly why: string;
}

/** Confines runs to their folders by means of the operating system. */
export interface Sandbox {
  /** Tests the sandbox once and caches the result; the settings are read at each call. */
  standing(): Promise<SandboxStatus>;
  /**
   * Returns arguments to put before a program and its arguments; empty if runs are not sandboxed. Creates the folders
   * that the run needs. Errors: `sandbox_missing` if the settings require a sandbox and there is none.
   */
  words(run: SandboxedRun): Promise<readonly string[]>;
}
