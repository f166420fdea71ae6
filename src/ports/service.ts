import type { AttemptUsage } from '#core/coordinator/snapshot.js';

/** How the service is to work from its next tick on; what is left out stays. Without any of it, what the file says counts. */
export interface ServiceValues {
  readonly max_agents?: number | undefined;
  /** Seconds. */
  readonly poll_interval?: number | undefined;
  readonly executor?: string | undefined;
  readonly model?: string | undefined;
}

/** What is asked of sessions: each is the operation of the same meaning, with its fields. */
export type SessionVerb =
  | 'create_coordinator'
  | 'list_coordinators'
  | 'stop_coordinator'
  | 'archive_coordinator'
  | 'delete_coordinator'
  | 'pause_coordinator'
  | 'resume_coordinator'
  | 'user_chat';

/**
 * The run that asks, where it is one: what it proves itself by, and its name and fence where it knows them. All others the service looks
 * at as the system shows them.
 */
export interface RunProof {
  readonly run_token?: string | undefined;
  readonly run?: string | undefined;
  readonly run_fence?: number | undefined;
}

/** A request about the service itself. */
export type ServiceRequest =
  | { readonly cmd: 'graph_changed' | 'status' | 'agents' | 'pause' | 'resume' }
  | { readonly cmd: 'dashboard'; readonly logout?: boolean | undefined }
  | { readonly cmd: 'tick'; readonly dry_run?: boolean | undefined }
  | {
      readonly cmd: 'spawn';
      readonly task_id: string;
      readonly executor?: string | undefined;
      readonly model?: string | undefined;
      readonly timeout?: string | undefined;
    }
  | {
      readonly cmd: 'kill';
      readonly agent_id?: string | undefined;
      readonly pid?: number | undefined;
      readonly force?: boolean | undefined;
    }
  | {
      readonly cmd: 'heartbeat';
      readonly agent_id: string;
      readonly fence: number;
      readonly bytes?: number | undefined;
    }
  | {
      readonly cmd: 'shutdown';
      readonly force?: boolean | undefined;
      readonly kill_agents?: boolean | undefined;
    }
  | {
      readonly cmd: 'reserve_model';
      readonly purpose: string;
      readonly model: string;
      readonly task?: string | undefined;
      readonly prompt_bytes: number;
      readonly time_ms: number;
    }
  | {
      readonly cmd: 'settle_model';
      readonly reservation: string;
      readonly usage?: AttemptUsage | undefined;
      readonly free?: true | undefined;
    }
  | { readonly cmd: SessionVerb; readonly [field: string]: unknown }
  | ({ readonly cmd: 'reconfigure' } & ServiceValues);

export interface OperationRequest {
  readonly cmd: 'operation';
  readonly name: string;
  readonly input: unknown;
  /** The same id asked again gets the same answer, also after a crash. */
  readonly request_id?: string | undefined;
}

/** The outcome of a request: an answer, nobody there, or a connection that broke before the answer. */
export type ServiceReply =
  | { readonly state: 'answered'; readonly result: unknown }
  | { readonly state: 'absent' | 'broken' };

/**
 * The service of one project, wherever it runs, for commands beside it. What it refuses is thrown as it says it. Other errors:
 * `service_silent` where it is there and does not answer, `socket_in_use`.
 */
export interface Service {
  /** A request of this process. */
  ask(request: ServiceRequest | OperationRequest): Promise<ServiceReply>;
  /** The process that answers; undefined where none does. */
  up(): Promise<{ readonly pid: number } | undefined>;
  /** Lets it look at what was changed beside it, and answers whether anybody did. */
  notify(): Promise<boolean>;
  /** Answers whether one has begun to listen since now. */
  watch(): () => boolean;
}
