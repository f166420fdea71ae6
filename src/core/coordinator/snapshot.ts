import type { CommandTrust } from '#core/graph/commands.js';
import type { GraphView } from '#core/graph/view.js';
import type { Trouble } from '#core/runs/provider-trouble.js';
import { LIMITS } from '#kernel/limits.js';
import type { ErrandFacts } from './errand.js';

/** How a run ended, as its wrapper recorded it. */
export interface RunExit {
  readonly code: number;
  /** The code is that of the check of the task, as its command had ended well; with the last lines the check printed. */
  readonly check?: { readonly lastLines: string };
  /** The last lines a command that ended badly printed, without secrets. */
  readonly lastLines?: string;
  /** Milliseconds from start to end, when known. */
  readonly durationMs?: number;
}

/** Why we ended a run ourselves. */
export type EndReason = 'timeout' | 'idle' | 'output' | 'stopped' | 'superseded' | 'silent' | 'budget' | 'lost';

/** What an attempt used; tokens as whole numbers, money in US dollars. */
export interface AttemptUsage {
  readonly cost_usd?: number;
  /** The part of `cost_usd` that is an estimate: tokens times a price of our table. */
  readonly estimated_usd?: number;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
}

/** What a client's own last word says of an attempt. */
export interface RunResult {
  readonly outcome: 'succeeded' | 'failed';
  readonly reason: string;
  readonly usage?: AttemptUsage;
  readonly sessionId?: string;
  readonly turns?: number;
  readonly toolCalls?: number;
  /** Trouble with its provider, and not with the task. */
  readonly trouble?: Trouble;
  /** When its provider answers again, as that said itself: milliseconds since 1970. */
  readonly resetsAt?: number;
  /** It ended because it had used what it may; its session can go on with more. */
  readonly spent?: true;
  /** Its last message, without secrets. Foreign text. */
  readonly lastWords?: string;
  /** How the check of the task ended, and its milliseconds and last lines; undefined when it was not run. */
  readonly check?: { readonly code: number; readonly ms: number; readonly lastLines: string };
  /** The signal that ended the client. */
  readonly signal?: string;
}

/** What is known for certain about a run that has not been settled yet. */
export interface RunFact {
  readonly id: string;
  readonly taskId: string;
  readonly fence: number;
  readonly startedAt: number;
  readonly timeoutMs: number;
  readonly alive: boolean;
  /** False when the wrapper never began: nothing can have happened. */
  readonly started: boolean;
  readonly outputBytes: number;
  /** `shell` when it is left out. */
  readonly executor?: string;
  /** A worker has it, on another machine. */
  readonly elsewhere?: true;
  /** Of the worktree it works in; undefined when it works in the project itself. */
  readonly branch?: string;
  /** Answers of the model so far. */
  readonly turns?: number;
  /** When the client last did something that counts, in milliseconds; undefined before it ever did. */
  readonly progressAt?: number;
  /** Until when it is taken to be at work; undefined where the process itself is watched. */
  readonly leaseUntil?: number;
  /** What it has used so far, as far as the client says. */
  readonly usage?: AttemptUsage;
  readonly result?: RunResult;
  readonly exit?: RunExit;
  /** Ended without a report it is asked for one: its good end alone says nothing of its task. */
  readonly silentEnd?: 'ask';
  /** Why the wrapper could not be started at all. */
  readonly startError?: string;
  readonly ended?: EndReason;
  /** It ended, and why what its worker told of that is not understood. */
  readonly garbledEnd?: string;
}

/** Whether an agent client does it, and no command of a shell. */
export function isClientRun({ executor = 'shell' }: Pick<RunFact, 'executor'>): boolean {
  return executor !== 'shell';
}

/** What every part of a tick may look at. Facts were gathered before; nothing here is asked of the outside again. */
export interface CommonFacts {
  readonly view: GraphView;
  readonly runs: readonly RunFact[];
  /** Which commands may run on this machine. */
  readonly trust: CommandTrust;
  /** No new runs, because somebody said pause or stop. */
  readonly paused: boolean;
  /** What ticks asked for that takes its time. */
  readonly errands: ErrandFacts;
  /** The ledger; undefined where nothing is bounded. */
  readonly budget: Budget | undefined;
  readonly terms: Terms;
}

/** How long is too long, in milliseconds. */
export interface Terms {
  /** A client that has said nothing since it was started. */
  readonly silentMs: number;
  /** One that has done nothing since its last sign of progress. */
  readonly idleMs: number;
  /** After a lease is over, until the claim goes with it. */
  readonly leaseGraceMs: number;
  /** A run of a task that names no time box of its own. */
  readonly timeoutMs: number;
  /** A client leaves word how far it is after so many turns, and after so long; 0 is never. */
  readonly checkpointTurns: number;
  readonly checkpointMs: number;
}

export const USUAL_TERMS: Terms = {
  silentMs: LIMITS.silentRunMs,
  idleMs: LIMITS.agentIdleMs,
  leaseGraceMs: LIMITS.leaseGraceMs,
  timeoutMs: LIMITS.taskTimeoutMs,
  checkpointTurns: LIMITS.checkpointTurns,
  checkpointMs: LIMITS.checkpointMs,
};

/** What may be spent and what was. Amounts that are not set are not bounded. */
export interface Budget {
  readonly caps: {
    readonly usdPerDay?: number;
    readonly usdTotal?: number;
    /** The same by what somebody said when this process began (`--budget-usd`); of tokens there is no other. */
    readonly usdByOption?: number;
    readonly usdPerTask?: number;
    readonly tokensPerDay?: number;
    readonly tokensTotal?: number;
  };
  /** What a claim reserves when its task does not say. */
  readonly reserve: { readonly usd: number; readonly tokens: number };
  readonly spent: {
    readonly usdToday: number;
    readonly usdTotal: number;
    readonly tokensToday: number;
    readonly tokensTotal: number;
    /** The parts of the sums that are estimates, and the tokens of today that have no price. */
    readonly usdEstimatedToday: number;
    readonly usdEstimatedTotal: number;
    readonly tokensUnpricedToday: number;
    readonly usdByTask: ReadonlyMap<string, number>;
  };
  /** By run: what is set aside for those that are at work. */
  readonly reserved: ReadonlyMap<string, { readonly taskId: string; readonly usd: number; readonly tokens: number }>;
}

/** Books in which nothing stands yet. */
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

/** A client that is not started for a while, because its provider is in trouble. Times in milliseconds. */
export interface ClientHold {
  readonly client: string;
  readonly trouble: Trouble;
  readonly since: number;
  /** From then on one run may see whether it is over. */
  readonly until: number;
  /** The provider named it: when it answers again. */
  readonly resetsAt?: number;
  /** How long the last pause was. */
  readonly pauseMs: number;
  /** The run that met it last. */
  readonly run: string;
}
