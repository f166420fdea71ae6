import type { Caller } from './callers.js';

/** A line as at the socket of a service, from a process of another machine. */
export interface FarRequest {
  readonly line: string;
  /** As the machine of the process found out. */
  readonly caller: Caller;
}

/** `broken`: it may have been carried out or not. `absent`: nobody leads, and nobody will see it. */
export type FarAnswer = { readonly state: 'answered'; readonly line: string } | { readonly state: 'absent' | 'broken' };

/** Who leads a project, and who waits for that. */
export interface Leaders {
  /** Process and machine, in words; undefined while nobody leads. */
  readonly leader: string | undefined;
  /** Number of the present leadership, and of all before it. */
  readonly epoch: number;
  /** Services that take over when the leader is gone, in words. */
  readonly standbys: readonly string[];
}

/**
 * Requests between machines that work on one project: whoever leads answers them, in the order in which they came. A request that outlives
 * its leader is answered by the next, so it carries an id that lets a change be done once. Where a project is kept on one machine, nobody
 * asks from afar.
 */
export interface FarRequests {
  /** Asks whoever leads, and waits as long as somebody does. */
  ask(request: FarRequest): Promise<FarAnswer>;
  /**
   * Answers what is asked, until `close`. What `answer` throws leaves the request to the next leader. Several are answered at a time, each
   * begun in its turn.
   */
  serve(answer: (request: FarRequest) => Promise<string>): Promise<void>;
  leaders(): Promise<Leaders>;
  /** This process stands by, from now for a while: to be said again and again. */
  standBy(): Promise<void>;
  /** It does so no more. */
  standDown(): Promise<void>;
  close(): Promise<void>;
}
