/** Limits of the exchange with a forge: GitHub or GitLab, through the program of the person. */
export const FORGE_LIMITS = {
  /** One call of the program, and the bytes of its answer. */
  callMs: 30_000,
  answerBytes: 8 * 1024 * 1024,
  /** Issues in one answer, and answers of one list: 2,000 issues. */
  pageItems: 50,
  pages: 40,
  /** Answers of the list of comments in which our own one is looked for: 1,000 comments. */
  commentPages: 10,
  commentItems: 100,
  /** Comments, closings and pull requests of one exchange; the rest follows in the next. Forges allow about 80 a minute. */
  writes: 60,
  /** Failed checks of one commit that are told, and bytes of their logs together. */
  checksTold: 5,
  logBytes: 8 * 1024,
  remarkBytes: 4 * 1024,
  /** Attempts that failed checks of one pull request may cause, before a person decides. */
  reopenings: 3,
  labelCharacters: 50,
  messageCharacters: 300,
  branchCharacters: 120,
} as const;
