/** Of what a role brings to a prompt. Not among those that every command loads. */
export const ROLE_PROMPT_LIMITS = {
  /** The newest lessons of all its parts, together, and a line of one. */
  lessons: 40,
  lessonBytes: 8 * 1024,
  lessonLineBytes: 1_024,
  /** The charter, the fields of a row, and the body of a core role. */
  charterBytes: 2 * 1024,
  fieldBytes: 4 * 1024,
  bodyBytes: 16 * 1024,
  /** What a client is told when a session begins, and of one lesson in it; how long that may take. */
  sessionCharacters: 2_000,
  sessionLessonCharacters: 120,
  sessionMs: 4_000,
  /** Proposals that wait for a person. */
  openProposals: 200,
  /** All of it, with our own words. */
  sectionBytes: 40 * 1024,
} as const;
