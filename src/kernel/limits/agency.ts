/**
 * Limits of an agency: statistics, evolution, trials, repositories. Separate from those that every command loads.
 */
export const AGENCY_LIMITS = {
  /** Statistics: points of a line, rows of a list, roles and trade-offs that are combined into pairs. */
  statsPoints: 16,
  statsRows: 100,
  statsPaired: 1_000,
  /** Maximum operations of one answer; resamples of the comparison of a changed role. */
  evolutionOperations: 100,
  replayResamples: 2_000,
  /**
   * Deduction from the expected score of an agent without a free slot, when it is compared with agents that have one.
   */
  noRoomDiscount: 0.2,
  /** Maximum agents created automatically per day. */
  agentsMadePerDay: 20,
  /** Maximum bytes stored of the work of a trial. */
  replayWorkBytes: 16 * 1024,
  /** Time to wait for the end of a trial attempt, and time that one may take beyond its time box. */
  trialMarginMs: 60_000,
  /** Agency in a git repository: maximum bytes of a fetch, timeouts of a query and of a transfer. */
  remoteBytes: 256 * 1024 * 1024,
  remoteLookMs: 60_000,
  remoteTransferMs: 5 * 60_000,
  /** Interval of checks of the size of a transfer. */
  remoteWatchMs: 100,
  /** Maximum commits searched for the one that was read last. */
  remoteCommits: 10_000,
  /** Maximum attempts of a push after others pushed first. */
  remotePushTries: 5,
  /** Maximum bytes read from a git process at once. */
  remoteReadBytes: 8 * 1024 * 1024,
  /** Age after which an unused copy is removed when the next one is made. */
  remoteCopyMs: 60 * 60_000,
  /** Lengths of an address and of a branch name. */
  remoteAddressCharacters: 1_000,
  remoteBranchCharacters: 200,
} as const;
