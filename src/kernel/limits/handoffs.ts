/** Of the files that the phases of a crew hand on, and of the hook that looks at them. */
export const HANDOFF_LIMITS = {
  fileBytes: 1024 * 1024,
  /** A line `status: BLOCKED` counts among so many at the top. */
  statusLines: 20,
  inputs: 100,
  /** Of a line that an answer quotes. */
  lineCharacters: 80,
  /** Of each section of a BLOCKED handoff that goes on to the ladder. */
  sectionCharacters: 4_000,
  /** Files that a role which is stuck asks for. */
  filesAskedFor: 10,
  /** Criteria named one by one in an answer. */
  criteriaNamed: 5,
  /** Of what a client says of a call before it makes it. */
  payloadBytes: 4 * 1024 * 1024,
  /** The hook answers within this; a client waits longer. */
  hookMs: 4_000,
  /** Of the log of all runs of crews: who is named there is over. */
  logBytes: 16 * 1024 * 1024,
  /** Records of runs that the hook looks at, the newest. */
  records: 200,
  /** Sessions that a run remembers. */
  sessions: 50,
} as const;
