/** Limits of crews, panels and sweeps. Separate from those that every command loads. */
export const FORMATION_LIMITS = {
  /**
   * Length of the goal in the id of a run. It leaves room in task ids for the name of a seat, at most 64 characters.
   */
  slugCharacters: 18,
  /** Length of the id of a run: date, goal, four digits and separators. */
  runCharacters: 32,
  /** Seats of one line-up. */
  seats: 24,
  /** Iterations between dev and qa before a person is asked. */
  qaIterations: 2,
  /** Maximum bytes about the run in the prompt of a task. */
  briefBytes: 8 * 1024,
  /** Maximum bytes of a log line. */
  noteBytes: 1_000,
  /** Length of a task's title. */
  titleCharacters: 120,
  /** Maximum bytes of a task's description, with later additions. */
  descriptionBytes: 32 * 1024,
  /** Maximum bytes of the commands of a release, which are run as one. */
  releaseBytes: 64 * 1024,
  /** Maximum runs listed, and maximum log lines stored per run. */
  runsKept: 200,
  notes: 200,
} as const;
