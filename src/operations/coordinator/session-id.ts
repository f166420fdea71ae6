import * as z from 'zod/mini';

/** The number of a session, as programs say it or as somebody types it. */
export const sessionId = z.pipe(
  z.union([z.int().check(z.minimum(0)), z.string().check(z.regex(/^\d{1,9}$/))]),
  z.transform(Number),
);
