/** Of the figures of an agency and how it changes. Not among those that every command loads. */
export const AGENCY_LIMITS = {
  /** Points of a line, rows of a list, and of how many roles and trade-offs pairs are made. */
  statsPoints: 16,
  statsRows: 100,
  statsPaired: 1_000,
  /** Operations of one answer, and resamples of how a change compares. */
  evolutionOperations: 100,
  replayResamples: 2_000,
  /** Agents that are made by themselves within a day. */
  agentsMadePerDay: 20,
  /** What is kept of the work of one that did a task again. */
  replayWorkBytes: 16 * 1024,
  /** How long the end of an attempt that is thrown away is waited for, and what one may take beyond its time box. */
  trialMarginMs: 60_000,
} as const;
