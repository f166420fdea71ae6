/** Of crews, panels and sweeps. Not among those that every command loads. */
export const FORMATION_LIMITS = {
  /** Of a goal in the name of a run: a seat's name, 64 characters at most, has to fit behind it in an id. */
  slugCharacters: 18,
  /** The day, the goal and four digits, with what is between them. */
  runCharacters: 32,
  /** Seats of one line-up. */
  seats: 24,
  /** How often dev and qa go round again before people are asked. */
  qaIterations: 2,
  /** What a task is told of its run. */
  briefBytes: 8 * 1024,
  /** A line for the log. */
  noteBytes: 1_000,
  /** Of a task's title. */
  titleCharacters: 120,
  /** Of a task's text, with what was added to it on the way. */
  descriptionBytes: 32 * 1024,
  /** Commands of a release: they are started as one. */
  releaseBytes: 64 * 1024,
  /** Runs that are listed, and lines for the log that one run keeps. */
  runsKept: 200,
  notes: 200,
} as const;
