/** Limits of a project in a database. Times in milliseconds. */
export const DATABASE_LIMITS = {
  /** Lease of the leader, and the interval of its renewal. */
  leaseMs: 15_000,
  renewMs: 5_000,
  connectMs: 10_000,
  /** Maximum connections of one process to one project: few statements take longer than a round trip. */
  connections: 4,
  /** Idle time after which a connection is closed. */
  unusedMs: 10_000,
  /** Idle time after which the network is asked whether the server is still there. */
  keepAliveMs: 5_000,
  statementMs: 30_000,
  /** Maximum idle time of a transaction, after which the database ends it. */
  idleMs: 10_000,
  /** Time to search for a commit whose answer was lost. */
  unsureMs: 10_000,
  /** Polling interval of a process that waits for the end of a leader's lease. */
  leaderLookMs: 200,
  /** First polls for an answer: most answers arrive before a further connection could be opened. */
  firstLooksMs: [2, 1, 2, 4, 8, 16, 32],
  /** Polling interval for remote requests and answers, in case a notification was lost. */
  requestLookMs: 1_000,
  /** Time that a former leader has to send its last answers. */
  lastAnswersMs: 2_000,
  /** Age after which answers that were not read are removed. */
  unreadMs: 3_600_000,
  /**
   * Interval at which a standby looks for a leader and renews its registration; a registration older than a lease has
   * expired.
   */
  standbyLookMs: 1_000,
  /** Heartbeat interval and lease of a worker. The same lease is in `worker_arrive` in 0003_workers.sql. */
  workerBeatMs: 10_000,
  workerLeaseMs: 30_000,
  /** Age after which an attempt that no worker has taken is released. */
  untakenMs: 15_000,
  /** Maximum log entries searched for ends of attempts that a former leader could not remove. */
  completedLook: 2_000,
  /** Polling interval of the leader and of workers, in case a notification was lost. */
  attemptsLookMs: 2_000,
  /** Maximum latest entries that a leader keeps in memory for followers of its log. */
  recentEntries: 500,
  /** Maximum attempts offered, ended or forgotten by one statement. */
  attemptsAtOnce: 256,
  /**
   * Maximum bytes stored of a run's output, events and prompt together, and of one chunk. The first limit is also in
   * `worker_append`.
   */
  runBytes: 8 * 1024 * 1024,
  pieceBytes: 64 * 1024,
  /** Object store: timeout of one answer, maximum bytes of an answer, maximum concurrent requests. */
  blobAnswerMs: 20_000,
  blobAnswerBytes: 4 * 1024 * 1024,
  blobsAtOnce: 8,
  /** Maximum runs whose blobs are removed together. */
  blobFoldersAtOnce: 100,
  /** Retention of ended attempts, their output, and refused results. */
  attemptsKeptMs: 30 * 24 * 60 * 60_000,
  /** Interval at which a leader removes older ones. */
  attemptsPruneMs: 60 * 60_000,
  /** Startup timeout of a database server that Troupe starts itself. */
  ownServerMs: 20_000,
} as const;
