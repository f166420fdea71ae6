/** Of a project in a database, in milliseconds. */
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
} as const;
