import type { AgencyFacts } from '#core/coordinator/agency-facts.js';
import type { Grant } from '#core/coordinator/grant.js';
import type { Session } from '#core/coordinator/sessions.js';
import type { Trouble } from '#core/executors/trouble.js';
import type { CompiledTask } from '#core/formations/compiled.js';
import type { TriggeredWorkflow } from '#core/formations/triggered.js';
import type { CommandTrust } from '#core/graph/commands.js';
import type { Evidence } from '#core/graph/evidence.js';
import type { GraphView } from '#core/graph/view.js';
import type { FileFacts } from '#core/graph/wait.js';
import type { Person } from '#core/people/person.js';

/** How a run ended, as its wrapper recorded it. */
export interface RunExit {
  readonly code: number;
  /** The code is that of the check of the task, as its command had ended well; with the last lines the check printed. */
  readonly check?: { readonly lastLines: string };
  /** Milliseconds from start to end, when known. */
  readonly durationMs?: number;
}

/** Why we ended a run ourselves. */
export type EndReason = 'timeout' | 'idle' | 'output' | 'stopped' | 'superseded' | 'silent' | 'budget' | 'lost';

/** What an attempt used; tokens as whole numbers, money in US dollars. */
export interface Usage {
  readonly cost_usd?: number;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
}

/** What a client's own last word says of an attempt. */
export interface RunResult {
  readonly outcome: 'succeeded' | 'failed';
  readonly reason: string;
  readonly usage?: Usage;
  readonly sessionId?: string;
  readonly turns?: number;
  readonly toolCalls?: number;
  /** Trouble with its provider, and not with the task. */
  readonly trouble?: Trouble;
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
  /** Of the worktree it works in; undefined when it works in the project itself. */
  readonly branch?: string;
  /** Answers of the model so far. */
  readonly turns?: number;
  /** When the client last did something that counts, in milliseconds; undefined before it ever did. */
  readonly progressAt?: number;
  /** Until when it is taken to be at work; undefined where the process itself is watched. */
  readonly leaseUntil?: number;
  /** What it has used so far, as far as the client says. */
  readonly usage?: Usage;
  readonly result?: RunResult;
  readonly exit?: RunExit;
  /** Ended without a report it is asked for one: its good end alone says nothing of its task. */
  readonly silentEnd?: 'ask';
  /** Why the wrapper could not be started at all. */
  readonly startError?: string;
  readonly ended?: EndReason;
}

/** Everything a tick may look at. Facts were gathered before; nothing here is asked of the outside again. */
export interface CoordinatorSnapshot {
  readonly view: GraphView;
  readonly runs: readonly RunFact[];
  readonly maxAgents: number;
  /** Number of the next run; ids are never used twice. */
  readonly nextRun: number;
  /** Which commands may run on this machine. */
  readonly trust: CommandTrust;
  /** No new runs, because somebody said pause or stop. */
  readonly paused: boolean;
  readonly providers: ProviderFacts;
  /** Of the files that tasks wait for. */
  readonly files?: FileFacts;
  /** No dispatch until then, because too many runs were silent; kept over restarts. */
  readonly backOff?: BackOff;
  readonly budget?: Budget;
  /** The client that does tasks without a command; undefined when there is none. */
  readonly executor?: string;
  /** Those that a person made; none: everything is one. */
  readonly sessions?: readonly Session[];
  /** The session that had the last slot. */
  readonly lastSession?: number;
  /** The clients that sessions name and that can be started here. */
  readonly executors?: ReadonlySet<string>;
  /** By session: the number of the latest message of a person that its chat task has not read. */
  readonly inbox?: ReadonlyMap<number, number>;
  /** Who does the work; undefined where nobody is known and nothing of it is switched on. */
  readonly agency?: AgencyFacts;
  /** What ticks asked for that takes its time. */
  readonly errands?: ErrandFacts;
  /** The graph is summed up from time to time. */
  readonly compaction?: boolean;
  /** Those who do tasks and are no programs. */
  readonly people?: PeopleFacts;
  /** A run that died is looked into by a model before its task goes on. */
  readonly autoTriage?: boolean;
  /** Workflows that begin by themselves; undefined where there are none. */
  readonly triggers?: TriggerFacts;
  /** A model may be asked where new tasks belong. */
  readonly placing?: boolean;
  /** Messages to tasks that are done. */
  readonly unread?: readonly UnreadFact[];
  /** Runs of clients are prepared before their tasks are claimed. */
  readonly prepares?: boolean;
  /** It has been said already that all is over. */
  readonly completed?: boolean;
  /** What of the usual terms is another here. */
  readonly terms?: Partial<Terms>;
}

/** What is known of the providers behind the clients. */
export interface ProviderFacts {
  /** By client; kept over restarts. */
  readonly holds: ReadonlyMap<string, ClientHold>;
  /** The executors that were seen at work in this life. */
  readonly proven: ReadonlySet<string>;
}

export const UNKNOWN_PROVIDERS: ProviderFacts = { holds: new Map(), proven: new Set() };

/** A client that is not started for a while, because its provider is in trouble. Times in milliseconds. */
export interface ClientHold {
  readonly client: string;
  readonly trouble: Trouble;
  readonly since: number;
  /** From then on one run may see whether it is over. */
  readonly until: number;
  /** How long the last pause was. */
  readonly pauseMs: number;
  /** The run that met it last. */
  readonly run: string;
}

export interface PeopleFacts {
  /** By the id of their agent. */
  readonly known: ReadonlyMap<string, Person>;
  /** Tasks that were handed to people and may still be theirs. */
  readonly held: Iterable<string>;
  /** Enough time has passed since the room was read. */
  readonly lookAgain: boolean;
}

export interface TriggerFacts {
  /** By id. */
  readonly workflows: readonly TriggeredWorkflow[];
  /** Where days begin: the name of a time zone. */
  readonly zone: string;
}

/** The tasks of a run that is to begin. */
export interface StartedWorkflow {
  readonly of: 'workflow';
  readonly run: string;
  readonly tasks: readonly CompiledTask[];
}

/** Errands by key, such as `triage agent-7`: no tick asks for one that is under way or answered. */
export interface ErrandFacts {
  readonly underWay: ReadonlySet<string>;
  readonly answers: ReadonlyMap<string, ErrandAnswer>;
}

/** What came back, by what was asked for. `error`: it could not be done, in the words of the error. */
export type ErrandAnswer =
  | Finished
  | Triaged
  | Placed
  | StartedWorkflow
  | Prepared
  | Unprepared
  | { readonly of: 'checkpoint' }
  | { readonly of: 'error'; readonly text: string }
  /** A person was told. */
  | { readonly of: 'told' }
  /** What was written in the room, and where to go on reading. */
  | {
      readonly of: 'replies';
      readonly since: string;
      readonly replies: readonly { readonly sender: string; readonly text: string }[];
    };

/** What became of the work of a run that ended well. */
export interface Finished {
  readonly of: 'finish';
  readonly evidence: Evidence;
  /** Why its task is not done after all. */
  readonly refused?: string;
  /** Nothing in its worktree is another than when it began; looked at only of a run that reported nothing. */
  readonly unchanged?: true;
  /** Undefined where nothing was to be merged, or not yet. `held`: it could not be, and a person has to look. */
  readonly merge?:
    | { readonly outcome: 'merged'; readonly commit: string }
    | { readonly outcome: 'nothing' | 'kept' }
    | { readonly outcome: 'held'; readonly reason: string; readonly conflict: boolean };
}

/** How far a run had come that died. */
export interface Triaged {
  readonly of: 'triage';
  readonly verdict: 'done' | 'continue' | 'restart';
  readonly reason: string;
  /** What whoever goes on is to know; undefined when nobody could say. */
  readonly summary?: string;
}

/** Where a model thinks a task belongs. `byRules`: why no model says it, so that rules do. */
export interface Placed {
  readonly of: 'place';
  readonly after: readonly string[];
  readonly before: readonly string[];
  readonly byRules?: string;
}

/** All that a run of a client needs is set down, for the one claim it was asked for. */
export interface Prepared {
  readonly of: 'prepared';
  readonly run: string;
  /** That the claim will have. */
  readonly fence: number;
  readonly executor: string;
  /** What it may spend, where there is a ledger; its client was told. */
  readonly grant?: Grant;
  /** When the facts of its prompt were gathered. */
  readonly at: number;
}

/** It could not be: why, for people. */
export interface Unprepared {
  readonly of: 'unprepared';
  readonly text: string;
  readonly at: number;
}

/** A message about a task that nobody who worked at it has read. */
export interface UnreadFact {
  readonly task: string;
  /** Its place in the conversation. */
  readonly number: number;
  /** When it was written. */
  readonly at: number;
  readonly from: 'person' | 'run' | 'coordinator';
  /** The task of the run that wrote it. */
  readonly speaksFor?: string;
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

export interface BackOff {
  readonly until: number;
  /** How long the last pause was, in milliseconds: the next one is twice as long. */
  readonly pauseMs: number;
}

/** What may be spent and what was. Amounts that are not set are not bounded. */
export interface Budget {
  readonly caps: {
    readonly usdPerDay?: number;
    readonly usdTotal?: number;
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
    readonly usdByTask: ReadonlyMap<string, number>;
  };
  /** By run: what is set aside for those that are at work. */
  readonly reserved: ReadonlyMap<string, { readonly taskId: string; readonly usd: number; readonly tokens: number }>;
}
