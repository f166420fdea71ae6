import type { Grant } from '#core/coordinator/budget.js';
import type { Allowance } from '#core/coordinator/budget-book.js';
import type { RunMachine } from '#core/coordinator/elsewhere.js';
import type { Terms } from '#core/coordinator/snapshot.js';
import type { GraphView } from '#core/graph/view.js';
import type { AttemptRequest, RunTree } from '#ports/attempt-trees.js';
import type { ClientPlan } from '#ports/run-host.js';

/** What the coordinator has to know of model clients before it decides. */
export interface ClientFacts {
  /** The client that tasks without a command go to; undefined when there is none. */
  readonly executor: string | undefined;
  /** Those that take over while a limit of its provider holds a client, and can be started here; in order. */
  readonly standIns: readonly string[];
  /** Those that are named to take over and cannot be started here, each with the reason: sentences for people. */
  readonly lostStandIns: readonly string[];
  /** Why there is none, although one is named: a sentence for people. */
  readonly missing: string | undefined;
  readonly terms: Partial<Terms>;
  /** The graph is summed up from time to time. */
  readonly compaction: boolean;
  readonly allowance: Allowance;
  /** Clients that workers have and that cannot be started here. */
  readonly notHere: ReadonlySet<string>;
  /** False: only workers carry attempts out. */
  readonly worksHere: boolean;
  /** A model looks into runs that died. */
  readonly autoTriage: boolean;
}

/** What a run of a client needs. */
export interface ClientRun {
  readonly client: ClientPlan;
  /** Left out: it works in the project itself. */
  readonly tree?: RunTree;
  /** That worktree as a worker is to make it, where one carries the run out; nothing is made here then. */
  readonly request?: AttemptRequest;
}

/** The claim that an attempt is for. */
export interface ClientClaim {
  readonly task: string;
  readonly fence: number;
  readonly executor: string;
}

/** One attempt that is about to be claimed. */
export interface ClientAttempt extends ClientClaim {
  readonly run: string;
  /** Which machine carries it out; left out: this one. */
  readonly machine?: RunMachine;
  /** Instead of what task and settings say. */
  readonly model?: string;
  /** What its session says, before what the settings say. */
  readonly sessionModel?: string;
  /** What it may spend, where there is a ledger. */
  readonly grant?: Grant;
}

/** Model clients as the coordinator sees them. */
export interface Clients {
  facts(): Promise<ClientFacts>;
  /** Those of these clients that can be started here now. */
  usableAmong(names: readonly string[]): Promise<ReadonlySet<string>>;
  /** Everything a run needs, with its worktree: the graph is not changed. Whatever it throws is why there is no run. */
  prepare(view: GraphView, attempt: ClientAttempt, signal: AbortSignal): Promise<ClientRun>;
  /** Removes what was made for an attempt that nobody claimed; its worktree stays where an earlier attempt worked in it. */
  leave(attempt: Pick<ClientAttempt, 'task' | 'fence'>, tree: RunTree): Promise<void>;
  /** Checks once more, now that it is claimed, that the attempt may begin in its worktree. Whatever it throws is why there is no run. */
  enter(view: GraphView, claim: ClientClaim, tree: RunTree): Promise<void>;
}
