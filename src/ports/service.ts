import type { AttemptUsage } from '#core/coordinator/snapshot.js';

/**
 * Changes to the service's configuration from its next tick on; undefined fields stay. Without any field, the
 * configuration file applies again.
 */
export interface ServiceValues {
  readonly max_agents?: number | undefined;
  /** In seconds. */
  readonly poll_interval?: number | undefined;
  readonly executor?: string | undefined;
  readonly model?: string | undefined;
}

/** Requests about coordinator sessions: each is the operation of the same meaning, with its fields. */
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
 * Proof of a request from a run: its token, and its name and fence if it knows them. The service identifies all other
 * callers by the facts that the operating system shows about them.
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
  /** Idempotency key: a repeated id returns the same answer, even after a crash. */
  readonly request_id?: string | undefined;
}

/**
 * Outcome of a request: `answered`; `absent` if there is no service; `broken` if the connection ended before the
 * answer.
 */
export type ServiceReply =
  | { readonly state: 'answered'; readonly result: unknown }
  | { readonly state: 'absent' | 'broken' };

/**
 * The service of one project, on this machine or another, for commands. Its errors are rethrown unchanged. Other
 * errors: `service_silent` if it exists and does not answer, `socket_in_use`.
 */
export interface Service {
  /** Sends a request of this process. */
  ask(request: ServiceRequest | OperationRequest): Promise<ServiceReply>;
  /** Process of the service; undefined if there is none. */
  up(): Promise<{ readonly pid: number } | undefined>;
  /** Asks the service to read changes made without it. Returns whether there is a service. */
  notify(): Promise<boolean>;
  /** Returns a function that reports whether a service has started to listen since this call. */
  watch(): () => boolean;
}
