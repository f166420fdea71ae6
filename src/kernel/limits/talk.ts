/** Limits of conversations and plans of a team. Separate from those that every command loads. */
export const TALK_LIMITS = {
  /** Length of a name proposed by a model. */
  teamAutoNameCharacters: 40,
  /** Plan of a team: attempts, parts, one text, one line, one guardrail. */
  strataTries: 3,
  strataPhases: 12,
  strataAssignments: 50,
  strataGuardrails: 3,
  strataCriteria: 12,
  strataTextCharacters: 2_000,
  strataTextBytes: 8 * 1024,
  strataLineCharacters: 500,
  strataGuardrailCharacters: 300,
  /** Maximum bytes of the plan in a prompt, and maximum messages read of one member. */
  promptStrategyBytes: 64 * 1024,
  mailLooked: 50,
  /** Effects of a person's message: depth, wake-ups per turn, activations in total, duration of one run. */
  stormDepth: 6,
  stormWakeUpsPerTurn: 5,
  stormActivations: 32,
  stormRunMs: 600_000,
  /** Time that messages stay in prompts: from the system, as a copy, and direct ones after they were read. */
  mailSystemMs: 15 * 60_000,
  mailCopyMs: 30 * 60_000,
  mailReadMs: 2 * 60 * 60_000,
  mailRecipients: 50,
  /** Maximum requests to the leader about one attempt whose review ends without a verdict. */
  reviewsAsked: 2,
  /**
   * Messages in a thread before a meeting is suggested; default and maximum rounds of a session; length of its topic.
   */
  threadHintMessages: 5,
  sessionRounds: 10,
  sessionRoundsMost: 20,
  sessionTextCharacters: 4_000,
} as const;
