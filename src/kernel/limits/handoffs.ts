/** Limits of the handoff files of crew phases, and of the hook that checks them. */
export const HANDOFF_LIMITS = {
  fileBytes: 1024 * 1024,
  /** Lines at the top of a file in which `status: BLOCKED` counts. */
  statusLines: 20,
  inputs: 100,
  /** Length of a line quoted in an answer. */
  lineCharacters: 80,
  /** Length of each section of a BLOCKED handoff that is passed to the escalation. */
  sectionCharacters: 4_000,
  /** Maximum files that a stuck role requests. */
  filesAskedFor: 10,
  /** Maximum criteria named in an answer. */
  criteriaNamed: 5,
  /** Maximum bytes of the payload that a client sends before a tool call. */
  payloadBytes: 4 * 1024 * 1024,
  /** Timeout of the hook. Clients wait longer. */
  hookMs: 4_000,
  /** Maximum bytes of the log of all crew runs, which names the finished ones. */
  logBytes: 16 * 1024 * 1024,
  /** Maximum records of runs that the hook reads, newest first. */
  records: 200,
  /** Maximum client sessions recorded per run. */
  sessions: 50,
} as const;
