import * as z from 'zod/mini';

/** What is answered of a score that is kept. */
export const keptShape = z.object({
  task_id: z.string(),
  evaluation_id: z.string(),
  score: z.number(),
  dimensions: z.record(z.string(), z.number()),
  notes: z.string(),
  evaluator: z.string(),
  model: z.optional(z.string()),
  source: z.string(),
  path: z.string(),
  seq: z.number(),
  warnings: z.optional(z.array(z.string())),
});
