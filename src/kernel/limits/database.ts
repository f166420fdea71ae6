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
} as const;
