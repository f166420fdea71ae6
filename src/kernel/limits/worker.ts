/** Of workers on other machines, times in milliseconds. */
export const WORKER_LIMITS = {
  slots: 4,
  slotsMost: 256,
  labelsMost: 50,
  /** So often a worker says that it is there, and so long it is believed. */
  beatMs: 10_000,
  leaseMs: 30_000,
  /** Not more often, whatever news there is. */
  beatLeastMs: 250,
  /** So often it looks by itself for something to take. */
  pollMs: 5_000,
  /** So often what its runs print is looked for. */
  lookMs: 1_000,
  /** So long running attempts go on while it drains, if nobody says another time; and so long those that were ended are handed over then. */
  graceMs: 5 * 60_000,
  lastMs: 60_000,
  /** So long at most, when somebody asked that it drains. */
  drainMs: 24 * 60 * 60_000,
  /** What a run prints travels in pieces. */
  pieceBytes: 64 * 1024,
  /** What a worker may say of one run, and a leader order for one. */
  toldCharacters: 256 * 1024,
  orderCharacters: 16 * 1024 * 1024,
  /** An order is carried out so long after its leader signed it. */
  orderFreshMs: 10 * 60_000,
  /** A clock that differs more is told of. */
  clockOffMs: 5_000,
  /** So often what cannot be handed over is tried again, and so long. */
  againMs: 5_000,
  publishMs: 10 * 60_000,
  /** So often a question of a run is asked again while the database is away, and so long. */
  askAgainMs: 500,
  askMs: 60_000,
  /** A fleet that is tried is looked at so often, each of its steps may take so long, and its end so long before force. */
  trialLookMs: 200,
  trialMs: 60_000,
  trialEndMs: 10_000,
  /** So often its workers are asked to end. */
  trialAskMs: 1_000,
} as const;
