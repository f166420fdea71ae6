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

/** The caller of an operation. A person is not fenced. */
export type Caller = { readonly kind: 'person'; readonly name: string } | RunCaller;

/** The caller of one request: taken at their word for a look (`claimed`), not for a change (`proven`). */
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
  /** This process, which works on the project itself. `claimed` counts where it is a person's. */
  here(claimed: Caller): Promise<Caller>;
  /** The run whose client this process offers tools to; without its token it is none. */
  client(claimed: RunCaller): Promise<RunCaller>;
  connect(): CallerConnection;
  /** At the socket of one run: that run, whatever person it says it is, in the attempt it says it is in. */
  atDoor(run: string, proof: RunProof): Promise<RunCaller>;
  /**
   * For a change over HTTP. The holder of a session or a token is believed to be the person it was made for, unless
   * the connection comes from a run, or may: then a session of a browser counts for more than the token, which lies in a file.
   */
  connected(
    connection: LoopbackConnection,
    holder: { readonly caller: Caller },
    by: 'session' | 'token',
  ): Promise<Caller>;
}
