import type { OwnParts, Switchable } from '#core/runs/own-parts.js';
import type { Passes } from '#core/runs/variables.js';

export interface ProgramOutcome {
  /** Null when a signal ended it or it never began. */
  readonly code: number | null;
  readonly end: 'exited' | 'timed-out' | 'stopped' | 'missing' | 'not-started';
  /** Standard output and error as they came, the middle left out when there was too much. */
  readonly output: string;
  readonly durationMs: number;
}

export interface ProgramOptions {
  readonly cwd: string;
  /** All the program is to know. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly timeMs: number;
  /** What it reads; without it, nothing. */
  readonly input?: string;
  /** Ends it before its time. */
  readonly signal?: AbortSignal;
  /** Between the polite and the hard end. */
  readonly graceMs?: number;
}

/** Runs programs we wait for. What outlives us is `RunHost`'s. */
export interface Programs {
  /**
   * Runs a program by its words, in a process group of its own, for at most `timeMs`. When the time is up, or this
   * process is told to end, the whole group gets TERM and, after a grace, KILL; what is left of the group when the
   * program has ended is killed too.
   */
  run(program: string, args: readonly string[], options: ProgramOptions): Promise<ProgramOutcome>;
  /** A command of a task, as a run would have it: in the project or its worktree, with a short list of our environment. */
  command(
    command: string,
    options: {
      readonly timeMs: number;
      readonly variables?: Readonly<Record<string, string>>;
      /** Instead of the project. */
      readonly folder?: string;
      /** Words that it begins with: those of a sandbox. */
      readonly within?: readonly string[];
      /** Ends it before its time. */
      readonly signal?: AbortSignal;
    },
  ): Promise<ProgramOutcome>;
}

/** What this machine has for model clients: their programs and the person's variables for them. */
export interface ClientPrograms {
  /** Absolute path of a program on the person's PATH, or of one that is named by a path; undefined when there is none. */
  find(program: string): Promise<string | undefined>;
  /** The first of these paths below a folder that is there. */
  firstOf(folder: string, paths: readonly string[]): Promise<string | undefined>;
  /** Hooks, plugins and tool servers in the person's own settings of a client. */
  ownParts(client: Switchable): Promise<OwnParts>;
  /** Those of these variables that are set. */
  variables(passes: Passes): Readonly<Record<string, string>>;
}
