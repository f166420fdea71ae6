import type { Entry } from '#core/graph/event.js';
import type { GateAnswer, GateCall } from '#operations/formations/gate-call.js';
import type { Input, Output, TableName } from '#operations/map.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import type { Caller } from '#ports/callers.js';
import type { FleetNews, FleetResult } from '#ports/fleet-trial.js';
import type { LeaderCard, PublishedLeader } from '#ports/leader-seal.js';
import type { ServiceRequest } from '#ports/service.js';
import type { ReadingOnly } from '#ports/storage.js';
import type { AgreedLeader } from '#ports/trust.js';
import type { PersonTier } from '#surfaces/mcp/offers.js';
import type { ClientWishes } from './option-values.js';

/** What the command line needs from the program around it; `main` plugs the real things in. */
/** Whose tools, and for a person which beside those of every day. */
export type ToolOffer = { readonly to: 'run' } | { readonly to: 'person'; readonly tiers: readonly PersonTier[] };

export interface CommandHost {
  readonly environment: NodeJS.ProcessEnv;
  readonly folder: string;
  readonly input: NodeJS.ReadStream;
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
  /** Who types: a person, or a run of the project around `folder`. Runs without a name of their own are found out. */
  caller(folder: string | undefined): Promise<Caller>;
  /** Runs an operation for the project of `folder`: in its service when that is up, else here. */
  call<Input, Parsed, Answer>(
    spec: OperationSpec<Input, Parsed, Answer>,
    input: Input,
    folder: string | undefined,
  ): Promise<Answer>;
  /** Why what the latest call looked at can only be read from here: a replica may be behind. */
  reading(): ReadingOnly | undefined;
  /** Asks the service of the project; `service_not_running` when there is none. */
  service(command: ServiceRequest, folder: string | undefined): Promise<unknown>;
  /** Does a service, or a run in the foreground, hold the project and answer? */
  serviceAnswers(folder: string | undefined): Promise<boolean>;
  /** The log of the project, to be read along; takes no lock, needs no service. */
  openLog(folder: string | undefined): Promise<Log>;
  /** `service_running` when there is one, unless it is to be replaced. */
  startService(options: StartOptions, force: boolean, folder: string | undefined): Promise<StartedService>;
  /** Returns once it has ended. */
  stopService(options: StopOptions, folder: string | undefined): Promise<{ pid: number }>;
  /** Stops the service, where there is one, and starts it again with what was said before and now. */
  restartService(options: StartOptions, folder: string | undefined): Promise<StartedService>;
  /** One tick, in the service or here; with `dryRun` only what it would decide. */
  tick(dryRun: boolean, folder: string | undefined): Promise<unknown>;
  /** The tasks of the project, from a look that changes nothing; none outside of one. */
  tasksAtAGlance(folder: string): Promise<readonly { id: string; title: string }[]>;
  /** The project's folder: the nearest at or above `folder`, within its repository, that holds a graph; undefined without one. */
  findProject(folder: string | undefined): string | undefined;
  /** A worker in this clone. What would keep it from working is refused at once. */
  openWorker(options: WorkerOptions, folder: string | undefined): Promise<ForegroundWorker>;
  /** For whom a worker of this clone runs commands; to be closed. */
  openLeaderChoice(folder: string | undefined): Promise<LeaderChoice & { close(): Promise<void> }>;
  /** A database, a leader and two workers that carry out a plan on this machine, and are removed. */
  tryFleet(tell: (news: FleetNews) => void, signal: AbortSignal): Promise<FleetResult>;
  /** A session that runs work in the foreground. */
  openSession(projectFolder: string, options: { maxAgents: number; clients: ClientWishes }): Promise<ForegroundSession>;
  /** The top of the repository around `folder`; a coded error when there is none, or nothing in it. */
  repositoryTop(folder: string): Promise<string>;
  /** A scratch clone of a repository, for a trial. Says where, and what can be reused from the original. */
  scratchClone(repository: string): Promise<{ projectFolder: string; original: string }>;
  /** An empty folder that is nobody's, to be removed when it has served. */
  scratchFolder(): Promise<{ folder: string; remove(): void }>;
  /** What the person at the terminal types after this question; undefined where nobody is there to answer. */
  ask(question: string): Promise<string | undefined>;
  /** May a client make this call? See `src/main/handoff-hook.ts` for how a client gets the answer. */
  judgeCall(call: GateCall): Promise<GateAnswer>;
  /** Serves tools over standard input and output until they are closed: those of the run whose environment this is, or a person's. */
  offerTools(folder: string | undefined, offer: ToolOffer): Promise<void>;
  version(): string;
}

/** What a worker is to be. */
export interface WorkerOptions {
  readonly name?: string;
  readonly slots: number;
  readonly labels: readonly string[];
  /** Clients that it may start; none: all that are installed. */
  readonly executors: readonly string[];
}

/** What a worker tells of its life. */
export interface WorkerNews {
  readonly event: string;
  readonly run?: string;
  readonly task?: string;
  readonly text: string;
}

/** For whom a worker of a clone runs commands, as its person says. */
export interface LeaderChoice {
  /** The project and its database, for people. */
  readonly database: string;
  /** As whom a worker runs commands. */
  readonly user: string;
  /** The leaders that may; undefined where nobody was asked yet. */
  agreed(): readonly AgreedLeader[] | undefined;
  /** All that workers of the project can be asked about. */
  published(): Promise<readonly PublishedLeader[]>;
  /** Errors: `not_yours` for a run. */
  agree(leaders: readonly LeaderCard[]): Promise<void>;
  /** False where that key is not agreed to. */
  forget(key: string): Promise<boolean>;
}

/** A worker that could begin. */
export interface ForegroundWorker {
  readonly choice: LeaderChoice;
  start(tell: (news: WorkerNews) => void): Promise<WorkerAtWork>;
  close(): Promise<void>;
}

export interface WorkerAtWork {
  /** Settles when it takes nothing more and has handed everything over. */
  readonly drained: Promise<void>;
  drain(graceMs: number): Promise<void>;
  close(): Promise<void>;
}

/** How a service is to be; what is not said, the settings say. */
export interface StartOptions {
  readonly maxAgents?: number | undefined;
  readonly pollMs?: number | undefined;
  readonly clients?: ClientWishes | undefined;
  /** Where it listens as well, as an absolute path. */
  readonly socket?: string | undefined;
}

/** A service that was started. */
export interface StartedService {
  readonly pid: number;
  /** Another machine leads, in words: this one stands by. */
  readonly leader?: string;
}

export interface StopOptions {
  readonly killAgents: boolean;
  /** Also one that does not answer, and without waiting for what is under way. */
  readonly force: boolean;
}

export interface Log {
  /** `seq` of the last event when it was opened. */
  readonly seq: number;
  /** As `CommandHost.reading` says it. */
  readonly reading: ReadingOnly | undefined;
  entries(from: number, to: number): AsyncIterable<Entry>;
  follow(from: number, signal: AbortSignal): AsyncIterable<Entry>;
  close(): Promise<void>;
}

/** The engine in the foreground, seen from the terminal. */
export interface ForegroundSession {
  readonly projectFolder: string;
  /** True when the project's service does the work: it goes on when the session ends. */
  readonly inService: boolean;
  call<Name extends TableName>(name: Name, input: Input<Name>): Promise<Output<Name>>;
  follow(
    from: number,
    signal: AbortSignal,
  ): AsyncIterable<{ seq: number; op: string; task_id?: string; timestamp: string }>;
  dashboardLink(): Promise<string>;
  /** Ends an engine of its own: running tasks are ended and given back, everything is written down. Safe twice. */
  stop(): Promise<void>;
}
