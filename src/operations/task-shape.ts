import * as z from 'zod/mini';

/** A task in answers: the fields that always exist, and any others. */
export const taskShape = z.looseObject({
  kind: z.literal('task'),
  id: z.string(),
  title: z.string(),
  status: z.string(),
});

/** Progress of an epic: tasks below it at any depth, and its cost so far in US dollars. */
export const progressShape = z.object({ done: z.number(), total: z.number(), cost_usd: z.number() });
