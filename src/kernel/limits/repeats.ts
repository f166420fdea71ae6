/** Limits for changes over HTTP that are sent again. */
export const REPEAT_LIMITS = {
  /** Maximum answers kept. */
  answers: 500,
} as const;
