import type { Passes } from '#core/runs/variables.js';

/** What this machine has for model clients: their programs and the person's variables for them. */
export interface ClientPrograms {
  /** Absolute path of a program on the person's PATH, or of one that is named by a path; undefined when there is none. */
  find(program: string): Promise<string | undefined>;
  /** The first of these paths below a folder that is there. */
  firstOf(folder: string, paths: readonly string[]): Promise<string | undefined>;
  /** Those of these variables that are set. */
  variables(passes: Passes): Readonly<Record<string, string>>;
}
