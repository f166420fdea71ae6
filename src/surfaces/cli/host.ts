import type { ServiceRequest } from '#core/coordinator/service-requests.js';
import type { Entry } from '#core/graph/event.js';
import type { GateAnswer, GateCall } from '#operations/formations/gate-call.js';
import type { Input, OperationName, Output } from '#operations/map.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import type { Caller } from '#ports/callers.js';
import type { FleetNews, FleetResult } from '#ports/fleet-trial.js';
import type { LeaderCard, PublishedLeader } from '#ports/leader-seal.js';
import type { ReadOnlyCause } from '#ports/storage.js';
import type { AgreedLeader } from '#ports/trust.js';
import type { PersonTier } from '#surfaces/mcp/offers.js';
import type { ClientWishes } from './option-values.js';

/** Recipient of the tools: a run, or a person with these tiers beyond the core tools. */
export type ToolOffer = { readonly to: 'run' } | { readonly to: 'person'; readonly tiers: readonly PersonTier[] };

export interface CommandHost {
  readonly environment: NodeJS.ProcessEnv;
  readonly folder: string;
  readonly input: NodeJS.ReadStream;
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
  /**
   * Returns the caller: a person, or a run of the project around `folder`. A run without a name is identified by its
   * process.
   */
  caller(folder: string | undefined): Promise<Caller>;
  /** Runs an operation for the project of `folder`: in its service if that is up, else in this process. */
  call<Input, Parsed, Answer>(
    spec: OperationSpec<Input, Parsed, Answer>,
    input: Input,
    folder: string | undefined,
  ): Promise<Answer>;
  /** Reason why the latest call could only read the project from here: a replica may be behind. */
  reading(): ReadOnlyCause | undefined;
  /** Sends a request to the service of the project. Errors: `service_not_running`. */
  service(command: ServiceRequest, folder: string | undefined): Promise<unknown>;
  /** Whether a service or a foreground run holds the project and answers. */
  serviceAnswers(folder: string | undefined): Promise<boolean>;
  /** Opens the log of the project for following; takes no lock and needs no service. */
  openLog(folder: string | undefined): Promise<Log>;
  /** Errors: `service_running`, unless `force` replaces that service. */
  startService(options: StartOptions, force: boolean, folder: string | undefined): Promise<StartedService>;
  /** Resolves when the service has ended. */
  stopService(options: StopOptions, folder: string | undefined): Promise<{ pid: number }>;
  /** Stops the service, if one runs, and starts it with its earlier options and the given ones. */
  restartService(options: StartOptions, folder: string | undefined): Promise<RestartedService>;
  /** Runs one tick, in the service or here; with `dryRun` returns only the decisions. */
  tick(dryRun: boolean, folder: string | undefined): Promise<unknown>;
  /** Returns the tasks of the project without changing anything; none outside a project. */
  tasksAtAGlance(folder: string): Promise<readonly { id: string; title: string }[]>;
  /**
   * Returns the project's folder: the nearest at or above `folder`, within its repository, that holds a graph;
   * undefined without one.
   */
  findProject(folder: string | undefined): string | undefined;
  /** Opens a worker in this clone. Anything that would prevent its work is reported at once. */
  openWorker(options: WorkerOptions, folder: string | undefined): Promise<ForegroundWorker>;
  /** Opens the choice of leaders for which a worker of this clone runs commands; the caller closes it. */
  openLeaderChoice(folder: string | undefined): Promise<LeaderChoice & { close(): Promise<void> }>;
  /** Starts a database, a leader and two workers that carry out a plan on this machine, then removes them. */
  tryFleet(tell: (news: FleetNews) => void, signal: AbortSignal): Promise<FleetResult>;
  /** Opens a session that runs work in the foreground. */
  openSession(projectFolder: string, options: { maxAgents: number; clients: ClientWishes }): Promise<ForegroundSession>;
  /** Returns the top of the repository around `folder`; fails if there is none, or it is empty. */
  repositoryTop(folder: string): Promise<string>;
  /**
   * Makes a scratch clone of a repository for a trial. Returns its folder and the original, from which it can reuse
   * files.
   */
  scratchClone(repository: string): Promise<{ projectFolder: string; original: string }>;
  /** Creates an empty temporary folder; `remove` deletes it. */
  scratchFolder(): Promise<{ folder: string; remove(): void }>;
  /** Returns the answer typed at the terminal; undefined without a terminal. */
  ask(question: string): Promise<string | undefined>;
  /** Decides whether a client may make this call. See `src/main/handoff-hook.ts` for how a client gets the answer. */
  judgeCall(call: GateCall): Promise<GateAnswer>;
  /**
   * Serves tools over standard input and output until they are closed: those of the run whose environment this is, or a
   * person's.
   */
  offerTools(folder: string | undefined, offer: ToolOffer): Promise<void>;
  version(): string;
}

/** Options of a worker. */
export interface WorkerOptions {
  readonly name?: string;
  readonly slots: number;
  readonly labels: readonly string[];
  /** Clients that it may start; empty: all that are installed. */
  readonly executors: readonly string[];
}

/** Event in the life of a worker. */
export interface WorkerNews {
  readonly event: string;
  readonly run?: string;
  readonly task?: string;
  readonly text: string;
}

/** Leaders for which a worker of a clone runs commands, as chosen by its person. */
export interface LeaderChoice {
  /** Project and database, for display. */
  readonly database: string;
  /** User as whom a worker runs commands. */
  readonly user: string;
  /** Leaders agreed to; undefined before the person has been asked. */
  agreed(): readonly AgreedLeader[] | undefined;
  /** Returns all leaders published in the project's database. */
  published(): Promise<readonly PublishedLeader[]>;
  /** Errors: `not_yours` for a run. */
  agree(leaders: readonly LeaderCard[]): Promise<void>;
  /** Returns false if that key is not agreed to. */
  forget(key: string): Promise<boolean>;
}

/** Worker that is ready to start. */
export interface ForegroundWorker {
  readonly choice: LeaderChoice;
  start(tell: (news: WorkerNews) => void): Promise<WorkerAtWork>;
  close(): Promise<void>;
}

export interface WorkerAtWork {
  /** Resolves when the worker accepts no more attempts and has handed everything over. */
  readonly drained: Promise<void>;
  drain(graceMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Options of a service. Defaults: the settings. */
export interface StartOptions {
  readonly maxAgents?: number | undefined;
  readonly pollMs?: number | undefined;
  readonly clients?: ClientWishes | undefined;
  /** Additional socket to listen on, as an absolute path. */
  readonly socket?: string | undefined;
  readonly listen?: ListenOptions | undefined;
}

/** An address to listen at over HTTP, and the files of its certificate as absolute paths. */
export interface ListenOptions {
  readonly address: string;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** Result of starting a service. */
export interface StartedService {
  readonly pid: number;
  /** Description of the leader on another machine; this process is a standby. */
  readonly leader?: string;
}

export interface RestartedService extends StartedService {
  /** Whether a service was running before. */
  readonly restarted: boolean;
}

export interface StopOptions {
  readonly killAgents: boolean;
  /** Also stops a service that does not answer, and does not wait for work in progress. */
  readonly force: boolean;
}

export interface Log {
  /** `seq` of the last event at the time of opening. */
  readonly seq: number;
  /** Same as `CommandHost.reading`. */
  readonly reading: ReadOnlyCause | undefined;
  entries(from: number, to: number): AsyncIterable<Entry>;
  follow(from: number, signal: AbortSignal): AsyncIterable<Entry>;
  close(): Promise<void>;
}

/** Foreground engine as seen from the terminal. */
export interface ForegroundSession {
  readonly projectFolder: string;
  /** True if the project's service does the work: it continues when the session ends. */
  readonly inService: boolean;
  call<Name extends OperationName>(name: Name, input: Input<Name>): Promise<Output<Name>>;
  follow(
    from: number,
    signal: AbortSignal,
  ): AsyncIterable<{ seq: number; op: string; task_id?: string; timestamp: string }>;
  dashboardLink(): Promise<string>;
  /** Ends its own engine: running tasks are ended and released, everything is written. Idempotent. */
  stop(): Promise<void>;
}
