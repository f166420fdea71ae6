import type { ServiceRequest } from '#core/coordinator/service-requests.js';

/**
 * Sender of a request in its own words: the proof of a run, which is its token, with its name and fence if it knows
 * them; or the claim of a reader. The service identifies all other callers by what the operating system shows of them.
 */
export interface Credentials {
  readonly run_token?: string | undefined;
  readonly run?: string | undefined;
  readonly run_fence?: number | undefined;
  /** Claim about the sender: believed of a person who only reads, and never for a change. */
  readonly caller?: unknown;
}

export interface OperationRequest {
  readonly cmd: 'operation';
  readonly name: string;
  readonly input: unknown;
  /**
   * Idempotency key of a change: a repeated id returns the same answer, even after a crash. Undefined if it only reads,
   * and a claim of its caller suffices.
   */
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
