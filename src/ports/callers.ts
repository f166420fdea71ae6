import type { TcpConnection } from './processes.js';
import type { Credentials } from './service.js';

/** A run. It writes under the fence of its claim and is authenticated by its token. */
export interface RunCaller {
  readonly kind: 'run';
  readonly name: string;
  readonly taskId: string;
  readonly fence: number;
  readonly token?: string;
  /** The request came through the socket that the service opened for this run alone, which authenticates it. */
  readonly atItsDoor?: true;
}

/** Rights of a token or a session, each with those before it: to read, to work, to lead, to decide as the person. */
export const SCOPES = ['observer', 'member', 'leader', 'owner'] as const;
export type TokenScope = (typeof SCOPES)[number];

/** A person, or a program that acts for one: then with fewer rights, those of `scope`. */
export interface PersonCaller {
  readonly kind: 'person';
  readonly name: string;
  /** Default: `owner`. */
  readonly scope?: TokenScope;
}

/** Caller of an operation. A person has no fence. */
export type Caller = PersonCaller | RunCaller;

/**
 * Caller of one request: as it claims to be (`claimed`, sufficient for reading), or authenticated (`proven`, required
 * for changes).
 */
export interface RequestCaller {
  claimed(): Promise<Caller>;
  proven(): Promise<Caller>;
}

/** Announcement of a process that the next request is its own: its pid, and the hash of the line that follows. */
export interface Introduction {
  readonly pid: number;
  readonly asks: string;
}

/** The other end of one connection to a service, as long as the connection lasts. */
export interface CallerConnection {
  /** Whether the process is the one it claims to be. `line` is the text of the introduction. */
  introduce(introduction: Introduction, line: string): boolean;
  /**
   * Caller of the request in this line. An introduction applies only to the next line, and only if it names that line.
   */
  request(line: string, proof: Credentials): RequestCaller;
}

/**
 * Authenticates callers at every entry point. A claim of a request about its sender is never believed; a proof can only
 * make the caller a run, which has fewer permissions than a person. Errors: `caller_unclear`, `not_yours` (a run that
 * conceals itself), `bad_run_token`.
 */
export interface Callers {
  /** This process, which works on the project itself. Returns `claimed` if the process was started by a person. */
  here(claimed: Caller): Promise<Caller>;
  /**
   * The run for whose client this process offers tools. Errors: `bad_run_token` if its token, task or fence does not
   * match.
   */
  client(claimed: RunCaller): Promise<RunCaller>;
  connect(): CallerConnection;
  /**
   * Caller at the socket of a run: that run, even if it claims to be a person. Errors: `bad_run_token` if it claims to
   * be another run or a later attempt, or has a wrong token.
   */
  atDoor(run: string, proof: Credentials): Promise<RunCaller>;
  /**
   * Caller of a change over HTTP. The holder of a session or a token counts as the person it was created for, unless
   * the connection comes, or may come, from a run. If that is unclear, the holder of a browser session is still
   * believed, but not the holder of the token, because that is stored in a file. A connection from another machine comes
   * from no run of this one. Errors: `caller_unclear`, `not_yours`.
   */
  connected(connection: TcpConnection, holder: Caller, by: 'session' | 'token'): Promise<Caller>;
}
