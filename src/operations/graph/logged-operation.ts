import * as z from 'zod/mini';

/** An operation of the log for display. */
export const loggedOperationShape = z.object({
  seq: z.number(),
  timestamp: z.string(),
  op: z.string(),
  actor: z.optional(z.string()),
  /** Missing in the log of one task. */
  task_id: z.optional(z.string()),
});
export type LoggedOperation = z.infer<typeof loggedOperationShape>;
