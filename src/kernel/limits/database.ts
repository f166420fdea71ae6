/** Of a project in a database; times in milliseconds. */
export const DATABASE_LIMITS = {
  /** So long one leads without saying so again; renewed three times as often. */
  leaseMs: 15_000,
  renewMs: 5_000,
  connectMs: 10_000,
  statementMs: 30_000,
  /** So long a transaction may do nothing before the database ends it. */
  idleMs: 10_000,
  /** So long one looks whether a commit was carried out whose answer was lost. */
  unsureMs: 10_000,
  /** So often who asked or answers from afar looks by itself, where no notification came. */
  farLookMs: 1_000,
  /** So long whoever leads no more has to say what it answered. */
  lastAnswersMs: 2_000,
  /** Answers that nobody read go after that time. */
  unreadMs: 3_600_000,
  /** So often a standby looks whether somebody leads, and says that it is there; one that said nothing for longer than a lease is gone. */
  standbyLookMs: 1_000,
  /** How often a worker says that it is there, and how long it is believed. `worker_arrive` in 0003_workers.sql has the same. */
  workerBeatMs: 10_000,
  workerLeaseMs: 30_000,
  /** An attempt that no worker takes is given back after so long. */
  untakenMs: 15_000,
  /** Of the log, so many entries are looked through for ends that a leader could not set aside any more. */
  completedLook: 2_000,
  /** How often the leader and the workers look where they were told of nothing. */
  attemptsLookMs: 2_000,
  /** Attempts that are offered, ended or forgotten by one statement. */
  attemptsAtOnce: 256,
  /** What is kept of the output, the events and the prompt of a run, and of one piece of it, in bytes. `worker_append` has the same. */
  runBytes: 8 * 1024 * 1024,
  pieceBytes: 64 * 1024,
  /** So long an object store may take for one answer, so long its answer may be in bytes, and so many are asked for together. */
  blobAnswerMs: 20_000,
  blobAnswerBytes: 4 * 1024 * 1024,
  blobsAtOnce: 8,
  /** Of so many runs at once what lies beside the database is removed. */
  blobFoldersAtOnce: 100,
  /** What became of attempts, what they printed, and results that came too late are kept so long. */
  attemptsKeptMs: 30 * 24 * 60 * 60_000,
  /** How often a leader removes what is older. */
  attemptsPruneMs: 60 * 60_000,
  /** So long a server that Troupe starts itself may take until it answers. */
  ownServerMs: 20_000,
} as const;
