/** What a person agreed to: a file with exactly this content. */
export interface TrustedExecutor {
  readonly sha256: string;
  /** RFC 3339. */
  readonly at: string;
}

/**
 * Which custom executors of one project this machine may run. Kept outside every repository, and by content: a file that
 * changed is another one. Errors of changing it: `read_only`, `disk_full`, `locked`.
 */
export interface ExecutorTrust {
  /** By name. Empty when the record is missing or cannot be understood. */
  all(): Promise<ReadonlyMap<string, TrustedExecutor>>;
  give(name: string, trusted: TrustedExecutor): Promise<void>;
  /** False when there was none. */
  withdraw(name: string): Promise<boolean>;
}
