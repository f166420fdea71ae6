/** Limits of the role section in prompts. Separate from those that every command loads. */
export const ROLE_PROMPT_LIMITS = {
  /** Newest lessons of all parts: number, bytes together, bytes of one line. */
  lessons: 40,
  lessonBytes: 8 * 1024,
  lessonLineBytes: 1_024,
  /** Maximum bytes of the charter, of the fields of a row, and of the body of a core role. */
  charterBytes: 2 * 1024,
  fieldBytes: 4 * 1024,
  bodyBytes: 16 * 1024,
  /** Context at the start of a client session: its length, the length of one lesson, and the timeout. */
  sessionCharacters: 2_000,
  sessionLessonCharacters: 120,
  sessionMs: 4_000,
  /** Maximum pending proposals. */
  openProposals: 200,
  /** Maximum bytes of the whole section, with Troupe's own text. */
  sectionBytes: 40 * 1024,
} as const;
