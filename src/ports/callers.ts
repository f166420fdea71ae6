import type { LoopbackConnection } from './processes.js';
import type { RunProof } from './service.js';

/** A run writes under the fence of its claim, and proves by its token that it is itself. */
export interface RunCaller {
  readonly kind: 'run';
  readonly name: string;
  readonly taskId: string;
  readonly fence: number;
  readonly token?: string;
  /** It asks at the socket that the service opened for it alone: that proves who it is. */
  readonly atItsDoor?: true;
}

/** Who calls. A person is not fenced. */
export type Caller = { readonly kind: 'person'; readonly name: string } | RunCaller;

/** Whose request it is. Whoever only looks is taken at their word (`claimed`), whoever changes something is not (`proven`). */
export interface RequestCaller {
  claimed(): Promise<Caller>;
  proven(): Promise<Caller>;
}

/** A process says that one request is its own: its pid, and the hash of the line that follows. */
export interface Introduction {
  readonly pid: number;
  readonly asks: string;
}

/** The other end of one connection to a service, for as long as it lasts. */
export interface CallerConnection {
  /** False where it is not the process that it says it is. `line` is the text of the introduction. */
  introduce(introduction: Introduction, line: string): boolean;
  /** The caller of the request in this line. An introduction counts for the line it names, and for the next one only. */
  request(line: string, proof: RunProof): RequestCaller;
}

/**
 * Finds out who asks, at every door. What a request says of its sender is never believed; a proof only makes the asker a run, which may do
 * less. Errors: `caller_unclear`, `not_yours` (a run that hides), `bad_run_token`.
 */
export interface Callers {
  /** This process, which works on the project itself. `claimed` counts for a person only. */
  here(claimed: Caller): Promise<Caller>;
  /** The client that this process offers tools to, as the run it was started for; without a token it is none. */
  client(claimed: RunCaller): Promise<RunCaller>;
  connect(): CallerConnection;
  /** Whoever asks at the socket of one run: that run, whatever person it says it is, in the attempt it says it is in. */
  atDoor(run: string, proof: RunProof): Promise<RunCaller>;
  /**
   * Whoever changes something over HTTP. The holder of a session or a token is believed to be the person it was made for, unless
   * the connection comes from a run, or may: then a session of a browser counts for more than the token, which lies in a file.
   */
  connected(
    connection: LoopbackConnection,
    holder: { readonly caller: Caller },
    by: 'session' | 'token',
  ): Promise<Caller>;
}
