import * as z from 'zod/mini';

/** A task in answers: the fields that always exist, and any others. */
export const taskShape = z.looseObject({
  kind: z.literal('task'),
  id: z.string(),
  title: z.string(),
  status: z.string(),
});
