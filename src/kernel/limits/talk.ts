/** Of what a team says and plans. Not among those that every command loads. */
export const TALK_LIMITS = {
  /** A name that a model proposes. */
  teamAutoNameCharacters: 40,
  /** The plan of a team: how often it is tried, its parts, one text, one line, and one guardrail of it. */
  strataTries: 3,
  strataPhases: 12,
  strataAssignments: 50,
  strataGuardrails: 3,
  strataCriteria: 12,
  strataTextCharacters: 2_000,
  strataTextBytes: 8 * 1024,
  strataLineCharacters: 500,
  strataGuardrailCharacters: 300,
  /** Of the plan as an attempt is told it, and of the mail of one member that is looked at. */
  promptStrategyBytes: 64 * 1024,
  mailLooked: 50,
  /** What a message of a person may set off: how deep, by one turn, in all, and how long one run takes. */
  stormDepth: 6,
  stormWakeUpsPerTurn: 5,
  stormActivations: 32,
  stormRunMs: 600_000,
  /** How long mail is told to those it is for: from the system, as a copy, and direct once it was read. */
  mailSystemMs: 15 * 60_000,
  mailCopyMs: 30 * 60_000,
  mailReadMs: 2 * 60 * 60_000,
  mailRecipients: 50,
  /** How often the leader is asked about one attempt, where a run ends without a verdict. */
  reviewsAsked: 2,
  /** A thread so long is a hint to meet; rounds of a session where nobody says how many, and at most; its topic. */
  threadHintMessages: 5,
  sessionRounds: 10,
  sessionRoundsMost: 20,
  sessionTextCharacters: 4_000,
} as const;
