import type { Grant } from '#core/coordinator/budget.js';
import type { Allowance } from '#core/coordinator/budget-book.js';
import type { Terms } from '#core/coordinator/snapshot.js';
import type { RunMachine } from '#core/coordinator/worker-facts.js';
import type { GraphView } from '#core/graph/view.js';
import type { AbsentClient } from '#core/insight/done-by.js';
import type { AttemptRequest, RunTree } from '#ports/attempt-trees.js';
import type { ClientPlan } from '#ports/run-host.js';

/** Facts about model clients. */
export interface ClientFacts {
  /** Client for tasks without a command; undefined if there is none. */
  readonly executor: string | undefined;
  /** Clients, in order, that replace a client on hold because of a limit and can be started here. */
  readonly standIns: readonly string[];
  /** Configured replacements that cannot be started here, each with the reason, as sentences for people. */
  readonly lostStandIns: readonly string[];
  /** Reason why the configured client is unavailable. */
  readonly missing: AbsentClient | undefined;
  readonly terms: Partial<Terms>;
  /** The graph is compacted regularly. */
  readonly compaction: boolean;
  readonly allowance: Allowance;
  /** Clients that workers have and that cannot be started here. */
  readonly notHere: ReadonlySet<string>;
  /** False if only workers carry out attempts. */
  readonly worksHere: boolean;
  /** A model examines runs that died. */
  readonly autoTriage: boolean;
}

/** Input for starting a run of a client. */
export interface ClientRun {
  readonly client: ClientPlan;
  /** Default: it works in the project itself. */
  readonly tree?: RunTree;
  /** Request for a worker to create the worktree, if a worker carries out the run; it is not created here then. */
  readonly request?: AttemptRequest;
}

/** The claim of an attempt. */
export interface ClientClaim {
  readonly task: string;
  readonly fence: number;
  readonly executor: string;
}

/** An attempt about to be claimed. */
export interface ClientAttempt extends ClientClaim {
  readonly run: string;
  /** Machine that carries it out; default: this one. */
  readonly machine?: RunMachine;
  /** Overrides the model of the task and the settings. */
  readonly model?: string;
  /** Model of its session, which overrides that of the settings. */
  readonly sessionModel?: string;
  /** Amounts that it may spend, if there is a ledger. */
  readonly grant?: Grant;
}

/** Model clients as used by the coordinator. */
export interface Clients {
  facts(): Promise<ClientFacts>;
  /** The clients among `names` that can be started here now. */
  usableAmong(names: readonly string[]): Promise<ReadonlySet<string>>;
  /** Prepares a run and its worktree without changing the graph. Any error is the reason why there is no run. */
  prepare(view: GraphView, attempt: ClientAttempt, signal: AbortSignal): Promise<ClientRun>;
  /** Removes the files of an attempt that was not claimed; the worktree stays if an earlier attempt worked in it. */
  leave(attempt: Pick<ClientAttempt, 'task' | 'fence'>, tree: RunTree): Promise<void>;
  /**
   * Checks again, after the claim, that the attempt may start in its worktree. Any error is the reason why there is no
   * run.
   */
  enter(view: GraphView, claim: ClientClaim, tree: RunTree): Promise<void>;
}
