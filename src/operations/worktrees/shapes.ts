import * as z from 'zod/mini';

export const changesShape = z.object({
  files: z.readonly(
    z.array(
      z.object({
        path: z.string(),
        /** Lines; absent for what is no text. */
        added: z.optional(z.number()),
        deleted: z.optional(z.number()),
      }),
    ),
  ),
  total: z.number(),
  added: z.number(),
  deleted: z.number(),
});
