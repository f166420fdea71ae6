import type { CommandTrust } from '#core/graph/commands.js';
import type { GraphView } from '#core/graph/view.js';
import type { Trouble } from '#core/runs/provider-trouble.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { ErrandFacts } from './errand.js';

/** Exit of a run, as its wrapper recorded it. */
export interface RunExit {
  readonly code: number;
  /**
   * Present if `code` is the exit code of the task's check, run after the command succeeded; holds the last lines the
   * check printed.
   */
  readonly check?: { readonly lastLines: string };
  /** Last lines printed by a command that failed, with secrets removed. */
  readonly lastLines?: string;
  /** Milliseconds from start to end, if known. */
  readonly durationMs?: number;
}

/** Reason for which the coordinator ended a run. */
export type EndReason = 'timeout' | 'idle' | 'output' | 'stopped' | 'superseded' | 'silent' | 'budget' | 'lost';

/** Usage of one attempt: tokens as integers, money in US dollars. */
export interface AttemptUsage {
  readonly cost_usd?: number;
  /** The estimated part of `cost_usd`: tokens times a price from the built-in table. */
  readonly estimated_usd?: number;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
}

/** Final result of an attempt, as the client itself reported it. */
export interface RunResult {
  readonly outcome: 'succeeded' | 'failed';
  readonly reason: string;
  readonly usage?: AttemptUsage;
  readonly sessionId?: string;
  readonly turns?: number;
  readonly toolCalls?: number;
  /** A failure of the client's provider rather than of the task. */
  readonly trouble?: Trouble;
  /** Time at which the provider accepts requests again, as it announced: milliseconds since 1970. */
  readonly resetsAt?: number;
  /** The attempt ended because its grant was used up; its session can be resumed with a larger one. */
  readonly spent?: true;
  /** Last message of the client, with secrets removed. Foreign text. */
  readonly lastWords?: string;
  /**
   * Exit code of the task's check, its duration in milliseconds and its last lines; undefined if the check was not run.
   */
  readonly check?: { readonly code: number; readonly ms: number; readonly lastLines: string };
  /** Signal that ended the client. */
  readonly signal?: string;
}

/** Known state of a run that is not settled yet. */
export interface RunFact {
  readonly id: string;
  readonly taskId: string;
  readonly fence: number;
  readonly startedAt: number;
  readonly timeoutMs: number;
  readonly alive: boolean;
  /** False if the wrapper never started: then the run can have had no effect. */
  readonly started: boolean;
  readonly outputBytes: number;
  /** `shell` by default. */
  readonly executor?: string;
  /** Model that its client was asked to use. */
  readonly model?: string;
  /** The run is on a worker on another machine. */
  readonly elsewhere?: true;
  /** Branch of its worktree; undefined if it works in the project itself. */
  readonly branch?: string;
  /** Number of model responses so far. */
  readonly turns?: number;
  /** Time of the client's last progress, in milliseconds; undefined if there was none yet. */
  readonly progressAt?: number;
  /** End of its lease; undefined if its process is watched instead. */
  readonly leaseUntil?: number;
  /** Usage so far, if the client reports it. */
  readonly usage?: AttemptUsage;
  readonly result?: RunResult;
  readonly exit?: RunExit;
  /**
   * Set if the run must be asked for a report when it ends without one: exit code 0 alone does not show that its task
   * is done.
   */
  readonly silentEnd?: 'ask';
  /** Reason why the wrapper could not be started. */
  readonly startError?: string;
  readonly ended?: EndReason;
  /** Reason why the worker's report about the end of this run is invalid; undefined if it is valid or missing. */
  readonly garbledEnd?: string;
}

/** Whether an agent client carries out the run, rather than a shell command. */
export function isClientRun(run: Pick<RunFact, 'executor'>): boolean {
  return run.executor !== undefined && run.executor !== 'shell';
}

/** Facts that every part may read. They are gathered before the pass; the parts read nothing from outside. */
export interface CommonFacts {
  readonly view: GraphView;
  readonly runs: readonly RunFact[];
  readonly trust: CommandTrust;
  /** No new runs: a person paused or stopped the service. */
  readonly paused: boolean;
  /** The errands that earlier ticks started. */
  readonly errands: ErrandFacts;
  /** The ledger; undefined if nothing is limited. */
  readonly budget: Budget | undefined;
  readonly terms: Terms;
}

/** Timeouts, in milliseconds, and intervals between checkpoints. */
export interface Terms {
  /** For a client that has printed nothing since its start. */
  readonly silentMs: number;
  /** For a client that has made no progress since its last progress. */
  readonly idleMs: number;
  /** Grace period after a lease expires, before the claim is revoked. */
  readonly leaseGraceMs: number;
  /** For a run whose task sets no timeout. */
  readonly timeoutMs: number;
  /** A client's progress is checkpointed after this many turns, and after this many milliseconds; 0 means never. */
  readonly checkpointTurns: number;
  readonly checkpointMs: number;
}

export const USUAL_TERMS: Terms = {
  silentMs: WORK_LIMITS.silentRunMs,
  idleMs: WORK_LIMITS.agentIdleMs,
  leaseGraceMs: WORK_LIMITS.leaseGraceMs,
  timeoutMs: WORK_LIMITS.taskTimeoutMs,
  checkpointTurns: WORK_LIMITS.checkpointTurns,
  checkpointMs: WORK_LIMITS.checkpointMs,
};

/** Caps, amounts spent and amounts reserved. An amount that is not set is not limited. */
export interface Budget {
  readonly caps: {
    readonly usdPerDay?: number;
    readonly usdTotal?: number;
    /** Limit in US dollars from the option `--budget-usd` of this process; there is no such option for tokens. */
    readonly usdByOption?: number;
    readonly usdPerTask?: number;
    readonly tokensPerDay?: number;
    readonly tokensTotal?: number;
  };
  /** Reservation for a claim whose task sets none. */
  readonly reserve: { readonly usd: number; readonly tokens: number };
  readonly spent: {
    readonly usdToday: number;
    readonly usdTotal: number;
    readonly tokensToday: number;
    readonly tokensTotal: number;
    /** The estimated parts of the sums, and today's tokens without a known price. */
    readonly usdEstimatedToday: number;
    readonly usdEstimatedTotal: number;
    readonly tokensUnpricedToday: number;
    readonly usdByTask: ReadonlyMap<string, number>;
  };
  /** Reservations of running attempts, by run id. */
  readonly reserved: ReadonlyMap<string, { readonly taskId: string; readonly usd: number; readonly tokens: number }>;
}

/** Sums of an empty ledger. */
export const NOTHING_SPENT: Budget['spent'] = {
  usdToday: 0,
  usdTotal: 0,
  tokensToday: 0,
  tokensTotal: 0,
  usdEstimatedToday: 0,
  usdEstimatedTotal: 0,
  tokensUnpricedToday: 0,
  usdByTask: new Map(),
};

/** Hold on a client whose provider is failing. Times in milliseconds. */
export interface ClientHold {
  readonly client: string;
  readonly trouble: Trouble;
  readonly since: number;
  /** From this time on one run may probe whether the provider works again. */
  readonly until: number;
  /** Recovery time announced by the provider. */
  readonly resetsAt?: number;
  /** Length of the last pause. */
  readonly pauseMs: number;
  /** The run that met the failure last. */
  readonly run: string;
}
