/** Of the figures of an agency and how it changes. Not among those that every command loads. */
export const AGENCY_LIMITS = {
  /** Points of a line, rows of a list, and of how many roles and trade-offs pairs are made. */
  statsPoints: 16,
  statsRows: 100,
  statsPaired: 1_000,
  /** Operations of one answer, and resamples of how a change compares. */
  evolutionOperations: 100,
  replayResamples: 2_000,
  /** Score that an agent without room must be expected to bring more than one with room, to be waited for. */
  noRoomDiscount: 0.2,
  /** Agents that are made by themselves within a day. */
  agentsMadePerDay: 20,
  /** What is kept of the work of one that did a task again. */
  replayWorkBytes: 16 * 1024,
  /** How long the end of an attempt that is thrown away is waited for, and what one may take beyond its time box. */
  trialMarginMs: 60_000,
  /** Of an agency in a git repository: what a fetch may bring, how long one look and one transfer may take. */
  remoteBytes: 256 * 1024 * 1024,
  remoteLookMs: 60_000,
  remoteTransferMs: 5 * 60_000,
  /** How often the size of what comes is looked at. */
  remoteWatchMs: 100,
  /** Commits in which the last one that was read is looked for. */
  remoteCommits: 10_000,
  /** How often a push is worked out anew because somebody else pushed meanwhile. */
  remotePushTries: 5,
  /** What is read from git's own process at once. */
  remoteReadBytes: 8 * 1024 * 1024,
  /** A copy that nobody has used for so long goes when the next one is made. */
  remoteCopyMs: 60 * 60_000,
  /** An address, and a branch. */
  remoteAddressCharacters: 1_000,
  remoteBranchCharacters: 200,
} as const;
