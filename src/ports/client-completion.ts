import type { PreparedProcess } from '#core/runs/plan.js';
import type { ClientPlan } from './run-host.js';

/** How a model client is started at one machine. None of it is secret: it lies in the run's folder, and arguments can be read by others. */
export interface ClientInvocation {
  readonly program: string;
  readonly args: readonly string[];
  /** To be added to the environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where it runs. */
  readonly folder: string;
  /** The client whose stream its output has; without one the exit code is the verdict. */
  readonly stream?: string;
  /** It ends by itself when its money is used: estimates of ours end nothing. */
  readonly capsItself: boolean;
}

/** A plan as one machine carries it out. */
export interface CompletedClient {
  readonly invocation: ClientInvocation;
  /** Its standard input. */
  readonly prompt: string;
  /** To be written, private, below the run's folder. */
  readonly files: PreparedProcess['files'];
  /** The variables of the person at this machine that the client may have, keys among them: they travel by environment only. */
  readonly passed: Readonly<Record<string, string>>;
  /** Whether it goes on with the session of the plan. */
  readonly resumes: boolean;
}

/** Absolute paths of one run at this machine. */
export interface ClientPlaces {
  /** Where the client works: the worktree of the attempt, or the project. */
  readonly folder: string;
  readonly runFolder: string;
}

/**
 * Adds to the plan of a client what only the machine knows at which it runs: programs, places, the values of variables, the person's
 * own settings. Errors: `executor_missing`, `unknown_executor`, `untrusted_executor`, and what the executor refuses.
 */
export interface ClientCompletion {
  complete(executor: string, plan: ClientPlan, places: ClientPlaces): Promise<CompletedClient>;
}
