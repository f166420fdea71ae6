/** Limits of notices about what needs a person. Separate from those that every command loads. */
export const NOTICE_LIMITS = {
  /** Wait for more to tell after the first thing to tell. */
  gatherMs: 3_000,
  /** Deliveries of one notice to one channel; the pause before the second, which doubles up to the longest. */
  tries: 10,
  againMs: 30_000,
  againMostMs: 30 * 60_000,
  /** Notices that some channel has not accepted; the oldest is given up for a newer one. */
  sending: 8,
  /** Things in one notice that are kept, and that are described; the others are counted. */
  things: 100,
  shown: 20,
  /** Ends of plans and budgets that are remembered as told. */
  told: 100,
  /** Entries of the log after which the position is stored although there was nothing to tell. */
  positionEntries: 10_000,
  titleCharacters: 120,
  reasonCharacters: 300,
  /** Share of a cap from which on it is told. */
  budgetShare: 0.8,
  /** Maximum bytes of an answer, and of what is sent: as JSON, to ntfy, to Discord (characters), to the desktop. */
  answerBytes: 64 * 1024,
  ntfyBytes: 3_500,
  discordCharacters: 1_900,
  desktopCharacters: 400,
} as const;
