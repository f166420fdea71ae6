import type { SpendLimit } from '#core/coordinator/budget.js';
import type { EndReason, RunFact, AttemptUsage as SpentUsage } from '#core/coordinator/snapshot.js';
import type { PromptPartRecord } from '#core/lanes/prompt-parts.js';
import type { MailRight } from '#core/mail/conversation.js';
import type { Usage } from '#core/runs/event.js';
import type { ExecutorPlan, SilentEnd } from '#core/runs/plan.js';
import type { Price } from '#core/runs/prices.js';
import type { RunStatus } from '#core/runs/run-status.js';
import type { RunTree } from '#ports/attempt-trees.js';

/** What an executor is asked for, without what only the machine knows at which the run works. */
export type ClientRequest = Omit<
  ExecutorPlan,
  'project' | 'folder' | 'runFolder' | 'tools' | 'exec' | 'allowUnsafe' | 'own' | 'projectSettings'
>;

/**
 * What a run of a model client needs beside its plan: data that may travel and be kept. It has no place of a machine and no value of a
 * variable; the machine at which it runs completes it.
 */
export interface ClientPlan {
  readonly request: ClientRequest;
  /** The figures of the session that is gone on with, where its client counts on from them. */
  readonly before?: Usage;
  /** Of its model, where that is known: what its tokens cost where the client tells no price. */
  readonly price?: Price;
  /** What it may spend, without what came before: it is ended when it reports more and nobody allows it that. */
  readonly limit?: SpendLimit;
  /** Of the plan of its team, as it is told that; by the hash of the text. */
  readonly strategy?: string;
  /** What it is told of its role: the parts, by their hashes. */
  readonly roleParts?: readonly PromptPartRecord[];
  /** The check of the task, run where the client worked after it succeeded: data of the task, as a command is. */
  readonly check?: string;
  /** What becomes of a run that ends well and reports nothing. */
  readonly silentEnd: SilentEnd;
  readonly mail: MailRight;
}

/** What the graph says of who holds a task; `startedAt` is when it was claimed, in milliseconds. */
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
  /** The command, handed to the shell as it stands in the task: data of the task, never put together by us. */
  readonly command: string;
  /** The check of the task, for a shell of its own after the command ended well; empty: there is none, or a client has it. */
  readonly check: string;
  /** Inputs of the task, `IN_NAME` → value. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly startedAt: number;
  /** The client; left out of a run of the command. */
  readonly executor?: string;
  /** Of a client's run, which has no command. */
  readonly client?: ClientPlan;
  /** The worktree it works in, by its attempt; left out of a run in the project itself. */
  readonly tree?: Pick<RunTree, 'attempt' | 'mode'>;
  /** Whether it is kept to its places. What a person approved word for word, to act on their own files, is not. */
  readonly sandboxed: boolean;
}

/** A run as people and programs are told of it. Times are RFC 3339. */
export interface ListedRun {
  readonly id: string;
  readonly task_id: string;
  readonly executor: string;
  readonly pid?: number;
  readonly status: RunStatus;
  readonly started_at: string;
  readonly last_heartbeat?: string;
  readonly model?: string;
  /** The worker it is at, or was given to; left out of a run of this machine. */
  readonly worker?: string;
  /** What it has used so far, as far as its client says. */
  readonly usage?: SpentUsage;
}

/**
 * Where runs live, here or on another machine: they survive us, and are found again by their claims, so that nothing depends on
 * our memory. A run that never began can be voided, and then never will begin. Moments are of the store's clock, whatever the
 * clock of the machine at which a run works.
 */
export interface RunHost {
  /** Sets down in its folder what the run of a client will need, before its task is claimed. Throws and leaves nothing when it cannot. */
  prepare(plan: RunPlan): Promise<void>;
  /** Takes away what was prepared for a run that will not be; nothing when nothing was. */
  discard(run: string): Promise<void>;
  /** Starts the wrapper, of a client's run in the folder that was prepared. Why it could not be started its facts say. */
  start(plan: RunPlan): Promise<void>;
  /** A run that could not be prepared: its facts say why, so that its task is given back as after any failed start. */
  refuse(
    plan: Omit<RunPlan, 'command' | 'check' | 'environment' | 'client' | 'sandboxed'>,
    reason: string,
  ): Promise<void>;
  /**
   * Takes runs of earlier lives into account: those whose tasks are still in progress. Answers the highest number of a run of which
   * something is left here; 0 for none. The log of a project that was restored may not know of it.
   */
  adopt(claims: readonly RunClaim[]): Promise<number>;
  /** Facts about all runs that are not forgotten yet. */
  facts(): Promise<readonly RunFact[]>;
  /** Those about one of them; undefined for any other. */
  fact(run: string): Promise<RunFact | undefined>;
  /** Runs that are not forgotten, as they are now. */
  listed(): Promise<readonly ListedRun[]>;
  /** What a run may use from now on. One that has ended is not told. */
  allow(run: string, limit: SpendLimit): Promise<void>;
  /** Tells a run to end: its group at once, harder after a grace. The reason is kept with the run. */
  end(run: string, why: EndReason): Promise<void>;
  /** The run says that it is at work. Answers until when it is believed, undefined when nothing is known of such a run. */
  beat(run: string, fence: number): Promise<number | undefined>;
  /** The run is settled: nobody needs its facts any more. Its folder stays. */
  forget(run: string, status: RunStatus): Promise<void>;
  /** Called whenever a run's facts may have changed. */
  onChange(listener: () => void): void;
  /** Stops watching. Runs go on; they are found again by `adopt`. */
  close(): Promise<void>;
}
