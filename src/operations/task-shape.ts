import * as z from 'zod/mini';

/** A task as it is answered: the fields that are always there, and whatever else it has. */
export const taskShape = z.looseObject({
  kind: z.literal('task'),
  id: z.string(),
  title: z.string(),
  status: z.string(),
});
