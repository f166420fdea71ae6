import type { Caller } from './callers.js';

/** A request line, as at the socket of a service, from a process of another machine. */
export interface RemoteRequest {
  readonly line: string;
  /** Caller as authenticated by the machine of the process. */
  readonly caller: Caller;
}

/**
 * `broken`: it may or may not have been executed. `absent`: there is no leader, and the request will never be executed.
 */
export type RemoteAnswer =
  | { readonly state: 'answered'; readonly line: string }
  | { readonly state: 'absent' | 'broken' };

/** Leader and standbys of a project. */
export interface Leaders {
  /** Process and machine of the leader, for people; undefined while there is none. */
  readonly leader: string | undefined;
  /** Epoch of the present leadership: its number among all so far. */
  readonly epoch: number;
  /** Services that take over when the leader is gone, for people. */
  readonly standbys: readonly string[];
}

/**
 * Requests between machines that work on one project: the leader takes them in the order in which they arrived. A
 * request that outlives its leader is answered by the next one, so it carries an id that makes a change idempotent. If
 * a project is stored on one machine, there are no remote requests.
 */
export interface RemoteRequests {
  /** Sends a request to the leader and waits for the answer while there is a leader. */
  ask(request: RemoteRequest): Promise<RemoteAnswer>;
  /**
   * Answers requests until `close`. If `answer` throws, the request is left for the next leader. Requests are started
   * in order and answered concurrently.
   */
  serve(answer: (request: RemoteRequest) => Promise<string>): Promise<void>;
  leaders(): Promise<Leaders>;
  /**
   * Registers this process as a standby for a limited time; to be repeated. Returns the remaining lease of the leader in
   * milliseconds; 0 if there is none.
   */
  standBy(): Promise<number>;
  /** Removes the registration as a standby. */
  standDown(): Promise<void>;
  close(): Promise<void>;
}
