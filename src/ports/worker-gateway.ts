import type { SpendLimit } from '#core/coordinator/budget.js';
import type { EndReason, RunFact } from '#core/coordinator/snapshot.js';
import type { Clock } from '#kernel/clock.js';
import type { AttemptRequest, Publication } from './attempt-trees.js';
import type { LeaderCard, PublishedLeader, SealedText } from './leader-seal.js';
import type { ListedRun, RunPlan } from './run-host.js';

/**
 * An attempt as it is given to a worker, which completes it for its machine. It contains no paths and no values of
 * variables.
 */
export interface AttemptOrder {
  readonly plan: RunPlan;
  /** Worktree to be created before the run starts, from a commit that the leader published. */
  readonly tree: AttemptRequest;
  /** Whether the project's setup runs in a new worktree. */
  readonly setsUp: boolean;
}

/** An order as its leader signed it, and the store's own data about the attempt. */
export interface SignedOrder {
  readonly run: string;
  readonly task: string;
  readonly fence: number;
  readonly order: SealedText;
}

/** A process that executes attempts, as it announces itself. */
export interface WorkerCard {
  /** Unique in the project, for example `box-2`. */
  readonly name: string;
  /** Host and process, for people. */
  readonly at: string;
  /** Version of Troupe. */
  readonly version: string;
  readonly slots: number;
  readonly labels: readonly string[];
  /** Names of the clients that can be started there. */
  readonly executors: readonly string[];
  /** Keys of the leaders that a person allows to run commands there. */
  readonly leaders: readonly string[];
}

/** State of a run, reported by its worker. Times are those of the clock of the leader's store. */
export interface AttemptReport {
  readonly fact: RunFact;
  readonly listed: ListedRun;
}

/** End of an attempt: the facts of its run, and the place where its work was published. */
export interface AttemptEnd extends AttemptReport {
  /** Undefined for a run without a worktree, and if publishing failed; then `unpublished` gives the reason. */
  readonly publication: Publication | undefined;
  readonly unpublished: string | undefined;
}

/** A chunk of a run's output, of its client's events, or of its prompt. */
export interface RunPiece {
  readonly of: 'output' | 'events' | 'prompt';
  /** Position of the chunk, in bytes. Bytes that are already stored are skipped. */
  readonly from: number;
  readonly bytes: Uint8Array;
}

/** Instruction of the leader for an active run. */
export interface RunInstruction {
  readonly run: string;
  readonly fence: number;
  /** Reason to end the run. */
  readonly end?: EndReason;
  /** New spending limit: a signed `SealedLimit`. */
  readonly limit?: SealedText;
}

/** Spending limit of a run, to be signed. */
export interface SealedLimit {
  readonly run: string;
  readonly fence: number;
  readonly limit: SpendLimit;
}

/** Answer to a heartbeat. */
export interface HeartbeatAnswer {
  readonly wishes: readonly RunInstruction[];
  /** Runs that no longer belong to this worker; all their writes are refused. */
  readonly lost: readonly string[];
  /** `drain`: take no new attempts. `stop`: also end the active runs. */
  readonly asked: 'work' | 'drain' | 'stop';
  /** Present leader; undefined if there is none. */
  readonly leader: LeaderCard | undefined;
  /** Clock of the leader's store, in milliseconds. */
  readonly now: number;
}

/**
 * Access of a worker to its attempts. A worker keeps its attempts as long as its heartbeats arrive; writes for an
 * attempt that it has lost are refused everywhere. Errors: those of the database; `not_found` for a worker that was
 * removed or whose name another process has taken: it has lost its runs and may register again with `registerWorker`.
 */
export interface WorkerGateway {
  /** Clock of the leader's store, estimated from its answers. */
  readonly clock: Clock;
  /** At most 50 machines that lead, led or stand by, the present leader first. Does not require `registerWorker`. */
  leaders(): Promise<readonly PublishedLeader[]>;
  /**
   * Registers the worker, or registers it again. Errors: `worker_exists` while another process is registered under its
   * name: a killed one until its lease (30 s) has expired, unless it is an earlier process of this same worker.
   * Attempts of the earlier process pass to this one, except those that its first `beat` does not report: these are
   * lost.
   */
  registerWorker(card: WorkerCard): Promise<void>;
  /**
   * Takes up to `most` attempts that it can execute and has free slots for, from leaders it knows, oldest first. No
   * other worker gets them. Also returns attempts that it took before and that are not among the `known` runs: the
   * answer was lost on its way. Empty while the worker is asked to drain or stop.
   */
  take(most: number, known: readonly string[]): Promise<readonly SignedOrder[]>;
  beat(reports: readonly AttemptReport[]): Promise<HeartbeatAnswer>;
  /**
   * Appends to a run's stored output. Chunks may have any size. False if no more is stored: the limit of the run is
   * reached, or the attempt no longer belongs to this worker.
   */
  append(run: string, fence: number, piece: RunPiece): Promise<boolean>;
  /**
   * Reports the end of an attempt. `refused`: the attempt no longer belongs to this worker; nothing was changed.
   * Repeating the same end returns `taken` again.
   */
  end(end: AttemptEnd): Promise<'taken' | 'refused'>;
  /**
   * Forwards a line that a run of this worker sent to its own socket, without its token: the run is identified by its
   * id. Returns the line that the leader's own socket would return, `{"ok":true,…}` or `{"ok":false,"error":…}`.
   * Errors: `stale_attempt`, `service_not_running`, `database_unsure`.
   */
  ask(run: string, fence: number, line: string): Promise<string>;
  /**
   * Calls the listener when there may be new attempts or instructions, and also at intervals. Returns a function that
   * stops this.
   */
  onWorkAvailable(listener: () => void): () => void;
  /**
   * Unregisters the worker and closes the desk; attempts that it has taken and not ended are lost. No other call may
   * follow.
   */
  unregisterWorker(): Promise<void>;
}
