/** Limits of workers on other machines. Times in milliseconds. */
export const WORKER_LIMITS = {
  slots: 4,
  slotsMost: 256,
  labelsMost: 50,
  /** Heartbeat interval and lease of a worker. */
  beatMs: 10_000,
  leaseMs: 30_000,
  /** Minimum interval of heartbeats. */
  beatLeastMs: 250,
  /** Polling interval for attempts. */
  pollMs: 5_000,
  /** Polling interval for output of runs. */
  lookMs: 1_000,
  /**
   * Default time that active runs have to end while the worker drains, and time for publishing those that were then
   * ended.
   */
  graceMs: 5 * 60_000,
  lastMs: 60_000,
  /** Maximum time to drain, if a person asked for it. */
  drainMs: 24 * 60 * 60_000,
  /** Maximum bytes of an output chunk. */
  pieceBytes: 64 * 1024,
  /** Maximum length of a worker's report about one run, and of an order. */
  toldCharacters: 256 * 1024,
  orderCharacters: 16 * 1024 * 1024,
  /** Age after which a signed order is no longer executed. */
  orderFreshMs: 10 * 60_000,
  /** Clock difference from which a worker is warned. */
  clockOffMs: 5_000,
  /** Interval and total time of attempts to publish work. */
  againMs: 5_000,
  publishMs: 10 * 60_000,
  /** Interval and total time of attempts to forward a request of a run while the database is unreachable. */
  askAgainMs: 500,
  askMs: 60_000,
  /** Trial of a fleet: polling interval, timeout of one step, time to end before processes are killed. */
  trialLookMs: 200,
  trialMs: 60_000,
  trialEndMs: 10_000,
  /** Interval at which workers of a trial are asked to end. */
  trialAskMs: 1_000,
} as const;
