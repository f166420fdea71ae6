import type { OwnParts, Switchable } from '#core/runs/own-parts.js';
import type { Passes } from '#core/runs/variables.js';

export interface ProgramOutcome {
  /** Null if a signal ended the program or it was not started. */
  readonly code: number | null;
  readonly end: 'exited' | 'timed-out' | 'stopped' | 'missing' | 'not-started';
  /** Standard output and error, interleaved; if there was too much, without the middle. */
  readonly output: string;
  /** Standard error, if it was to be kept apart: then `output` has none of it. */
  readonly errors?: string;
  readonly durationMs: number;
}

export interface ProgramOptions {
  readonly cwd: string;
  /** The complete environment of the program. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly timeMs: number;
  /** Standard input; empty if undefined. */
  readonly input?: string;
  /** Ends the program early. */
  readonly signal?: AbortSignal;
  /** Keeps standard error apart from output of at most so many bytes, which a program reads. */
  readonly apartBytes?: number;
  /** Time between SIGTERM and SIGKILL, in milliseconds. */
  readonly graceMs?: number;
}

/** Runs programs and waits for their end. Processes that outlive this one belong to `RunHost`. */
export interface Programs {
  /**
   * Runs a program with these arguments, in a process group of its own, for at most `timeMs`. When the time is up, or
   * this process is asked to end, the whole group gets SIGTERM and, after the grace period, SIGKILL. Processes of the
   * group that outlive the program are killed.
   */
  run(program: string, args: readonly string[], options: ProgramOptions): Promise<ProgramOutcome>;
  /** Runs a command of a task as a run would: in the project or its worktree, with an allowlist of the environment. */
  command(
    command: string,
    options: {
      readonly timeMs: number;
      readonly variables?: Readonly<Record<string, string>>;
      /** Working directory instead of the project. */
      readonly folder?: string;
      /** Arguments to put before the command: those of a sandbox. */
      readonly within?: readonly string[];
      /** Ends the command early. */
      readonly signal?: AbortSignal;
    },
  ): Promise<ProgramOutcome>;
}

/** Programs of model clients on this machine, and the person's environment variables for them. */
export interface ClientPrograms {
  /** Absolute path of a program on the person's PATH, or of one given as a path; undefined if it does not exist. */
  find(program: string): Promise<string | undefined>;
  /** The first of these paths below a folder that exists. */
  firstOf(folder: string, paths: readonly string[]): Promise<string | undefined>;
  /** Hooks, plugins and tool servers in the person's own settings of a client. */
  ownParts(client: Switchable): Promise<OwnParts>;
  /** The set ones of these variables. */
  variables(passes: Passes): Readonly<Record<string, string>>;
}
