import * as z from 'zod/mini';

export const rowShape = z.object({
  key: z.string(),
  /** Left out where nobody says anything. */
  value: z.optional(z.union([z.string(), z.number(), z.boolean()])),
  from: z.enum(['file', 'default', 'unset']),
});
