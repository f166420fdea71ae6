/** Limits of imports from other trackers. */
export const IMPORT_LIMITS = {
  /** All files of an import together, and their number. */
  bytes: 50 * 1024 * 1024,
  files: 20_000,
  tasks: 50_000,
  /** Dependencies of all tasks of an import together. */
  edges: 500_000,
  /** Serialised size of one task. */
  taskBytes: 1024 * 1024,
  /** Nesting of tasks. */
  nesting: 50,
  labels: 100,
  keyCharacters: 200,
  sourceCharacters: 200,
  /** Broken records named in an error, warnings of one import. */
  brokenNamed: 10,
  warnings: 100,
} as const;
