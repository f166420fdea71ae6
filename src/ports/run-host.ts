import type { SpendLimit } from '#core/coordinator/budget.js';
import type { EndReason, RunFact, AttemptUsage as SpentUsage } from '#core/coordinator/snapshot.js';
import type { MailRight } from '#core/mail/conversation.js';
import type { PromptPartRecord } from '#core/roles/prompt-parts.js';
import type { Usage } from '#core/runs/event.js';
import type { ExecutorPlan, SilentEnd } from '#core/runs/plan.js';
import type { Price } from '#core/runs/prices.js';
import type { RunStatus } from '#core/runs/run-status.js';
import type { RunTree } from '#ports/attempt-trees.js';

/** Request to an executor, without the parts that only the machine of the run can supply. */
export type ClientRequest = Omit<
  ExecutorPlan,
  'project' | 'folder' | 'runFolder' | 'tools' | 'exec' | 'allowUnsafe' | 'own' | 'projectSettings'
>;

/**
 * Data of a client run in addition to its plan, which can be transferred and stored. It contains no paths and no values
 * of variables: the machine of the run adds them.
 */
export interface ClientPlan {
  readonly request: ClientRequest;
  /** Usage of the resumed session so far, for clients that report cumulative figures. */
  readonly before?: Usage;
  /** Price of its model, if known, for clients that do not report costs. */
  readonly price?: Price;
  /** Spending limit of this run alone: the run is ended when its client reports more, unless the limit is raised. */
  readonly limit?: SpendLimit;
  /** Hash of the text of the team's plan that is in its prompt. */
  readonly strategy?: string;
  /** Parts of the role in its prompt, with their hashes. */
  readonly roleParts?: readonly PromptPartRecord[];
  /** Check of the task, run in the client's working directory after it succeeded. Data of the task, like a command. */
  readonly check?: string;
  /** Action if the run ends without an error and reports nothing. */
  readonly silentEnd: SilentEnd;
  readonly mail: MailRight;
}

/** Claim of a task by a run, from the graph; `startedAt` is the time of the claim, in milliseconds. */
export interface RunClaim {
  readonly run: string;
  readonly taskId: string;
  readonly fence: number;
  readonly startedAt: number;
}

export interface RunPlan {
  readonly id: string;
  readonly taskId: string;
  readonly fence: number;
  /** Command of the task, passed to the shell unmodified: data of the task, never composed by Troupe. */
  readonly command: string;
  /**
   * Check of the task, run in a shell of its own after the command succeeded; empty if there is none, or if a client
   * runs it.
   */
  readonly check: string;
  /** Inputs of the task: `IN_NAME` and value. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly startedAt: number;
  /** Client; undefined for a run of a command. */
  readonly executor?: string;
  /** Plan of a client run, which has no command. */
  readonly client?: ClientPlan;
  /** Attempt whose worktree it works in; undefined for a run in the project itself. */
  readonly tree?: Pick<RunTree, 'attempt' | 'mode'>;
  /**
   * Whether it runs in the sandbox. A command that a person approved word for word, to change their own files, does
   * not.
   */
  readonly sandboxed: boolean;
}

/** A run as shown to people and programs. Times are RFC 3339. */
export interface ListedRun {
  readonly id: string;
  readonly task_id: string;
  readonly executor: string;
  readonly pid?: number;
  readonly status: RunStatus;
  readonly started_at: string;
  readonly last_heartbeat?: string;
  readonly model?: string;
  /** Worker that has the run or was offered it; undefined for a run of this machine. */
  readonly worker?: string;
  /** Usage so far, as reported by its client. */
  readonly usage?: SpentUsage;
}

/**
 * Host of runs, on this machine or others. Runs survive the service and are found again by their claims, so that
 * nothing depends on its memory. A run that has not begun can be voided; then it never begins. Times are those of the
 * store's clock, not of the machine of the run.
 */
export interface RunHost {
  /**
   * Stores the data of a client run in its folder, before its task is claimed. If it throws, it leaves nothing behind.
   */
  prepare(plan: RunPlan): Promise<void>;
  /** Removes the data of a prepared run that is not going to start. Idempotent. */
  discard(run: string): Promise<void>;
  /** Starts the run, a client run in its prepared folder. A failure to start is reported in its facts. */
  start(plan: RunPlan): Promise<void>;
  /**
   * Records that a run could not be prepared, with the reason in its facts, so that its task is released as after any
   * failed start.
   */
  refuse(
    plan: Omit<RunPlan, 'command' | 'check' | 'environment' | 'client' | 'sandboxed'>,
    reason: string,
  ): Promise<void>;
  /**
   * Takes over runs of earlier services whose tasks are in progress. Returns the highest run number with any trace
   * here, 0 if there is none; the log of a restored project may lack it.
   */
  adopt(claims: readonly RunClaim[]): Promise<number>;
  /** Facts of all runs that are not forgotten. */
  facts(): Promise<readonly RunFact[]>;
  /** Facts of one run; undefined if it is unknown or forgotten. */
  fact(run: string): Promise<RunFact | undefined>;
  /** All runs that are not forgotten, in their present state. */
  listed(): Promise<readonly ListedRun[]>;
  /** Sets the spending limit of a run. No effect once it has ended. */
  allow(run: string, limit: SpendLimit): Promise<void>;
  /**
   * Asks a run to end: its process group gets SIGTERM at once and SIGKILL after a grace period. The reason is stored
   * with the run.
   */
  end(run: string, why: EndReason): Promise<void>;
  /**
   * Records a heartbeat of a run. Returns the end of its lease, in milliseconds; undefined if the run is not active or
   * has another fence.
   */
  beat(run: string, fence: number): Promise<number | undefined>;
  /** Forgets a settled run, whose facts are no longer needed. Its folder stays. */
  forget(run: string, status: RunStatus): Promise<void>;
  /** Registers the listener that is called whenever facts of a run may have changed. */
  onChange(listener: () => void): void;
  /** Stops watching. Runs continue and are found again by `adopt`. */
  close(): Promise<void>;
}
