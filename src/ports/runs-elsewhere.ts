import type { RunHost } from './run-host.js';
import type { AttemptEnd, AttemptOrder, WorkerCard } from './worker-desk.js';

/** A worker as the leader sees it; `silent`: nobody has heard of it for its whole term. */
export interface WorkerRow extends WorkerCard {
  readonly state: 'working' | 'draining' | 'silent';
  /** The last heartbeat, by the clock of the store, in milliseconds. */
  readonly heardAt: number;
  /** Runs that it took and has not ended. */
  readonly runs: readonly string[];
}

/** What is known of an attempt that was given to workers, as long as its run is known: also after it was forgotten as a run. */
export interface OrderedAttempt {
  readonly order: AttemptOrder;
  /** The name of the worker that took it; undefined while none did. */
  readonly worker: string | undefined;
  /** Undefined while it has not ended, or never said how. */
  readonly end: AttemptEnd | undefined;
}

/**
 * Runs that are given to workers on other machines. They are kept with the project, so that a new leader finds them. Of `RunHost`,
 * `start` hands out what `order` set down, `discard` takes back what was not started, and `prepare` is for nobody: it refuses.
 */
export interface RunsElsewhere extends RunHost {
  /** Sets an attempt down before its task is claimed. No worker gets it before it is started. */
  order(order: AttemptOrder): Promise<void>;
  /** All workers that are registered, by name. */
  workers(): Promise<readonly WorkerRow[]>;
  /** Undefined of a run that was never given to workers. */
  ordered(run: string): Promise<OrderedAttempt | undefined>;
}
