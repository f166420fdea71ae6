import type { TokenScope } from './callers.js';

/** A secret of the HTTP API without the secret: a program that has it acts for `person`, with the rights of `scope`. */
export interface AccessToken {
  readonly name: string;
  readonly scope: TokenScope;
  /** Name of the person who made it. */
  readonly person: string;
  /** Times in milliseconds since 1970. */
  readonly made: number;
  readonly until: number;
}

/**
 * Secrets of the HTTP API of one project on this machine. Stored outside of every repository, and only as hashes, so
 * that a repository cannot grant itself access and a copy of the store opens nothing. Errors of changes: `read_only`,
 * `disk_full`, `locked`.
 */
export interface AccessTokens {
  /** All tokens, by name, also expired ones. */
  all(): readonly AccessToken[];
  /** Stores a token and returns its secret, which nothing can show again. Errors: `token_exists`, `too_many`. */
  add(token: AccessToken): Promise<string>;
  /** Forgets a token; undefined if there is none of this name. */
  revoke(name: string): Promise<AccessToken | undefined>;
  /** Token of a secret, also an expired one. Takes the same time for every secret. */
  ofSecret(secret: string): AccessToken | undefined;
  /** Calls back after a change, also by another process, until the returned function is called. */
  watch(changed: () => void): () => void;
}
