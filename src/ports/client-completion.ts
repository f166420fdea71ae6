import type { PreparedProcess } from '#core/runs/plan.js';
import type { ClientPlan } from './run-host.js';

/**
 * Invocation of a model client on one machine. It holds no secrets, because it is stored in the run's folder and other
 * processes can read its arguments.
 */
export interface ClientInvocation {
  readonly program: string;
  readonly args: readonly string[];
  /** Variables added to the environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Working directory. */
  readonly folder: string;
  /** Client whose event stream its output has; if undefined, the exit code is the verdict. */
  readonly stream?: string;
  /** It enforces its own spending limit: it is not ended because of Troupe's estimates. */
  readonly capsItself: boolean;
}

/** A client plan completed for one machine. */
export interface CompletedClient {
  readonly invocation: ClientInvocation;
  /** Standard input of the client. */
  readonly prompt: string;
  /** Files to be written, private, below the run's folder. */
  readonly files: PreparedProcess['files'];
  /**
   * Variables of the person on this machine that the client may have, including keys. They are passed only in the
   * environment.
   */
  readonly passed: Readonly<Record<string, string>>;
  /** Whether it resumes the session of the plan. */
  readonly resumes: boolean;
}

/** Absolute paths of one run on this machine. */
export interface ClientPlaces {
  /** Working directory of the client: the worktree of the attempt, or the project. */
  readonly folder: string;
  readonly runFolder: string;
}

/**
 * Adds to a client plan what only the machine that runs it can supply: programs, paths, values of variables, the
 * person's own settings. Errors: `executor_missing`, `unknown_executor`, `untrusted_executor`, and those of the
 * executor.
 */
export interface ClientCompletion {
  complete(executor: string, plan: ClientPlan, places: ClientPlaces): Promise<CompletedClient>;
}
