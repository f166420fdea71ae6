import * as z from 'zod/mini';

/** A finished task that a changed role or trade-off and the one it comes from did again, each with its score. */
const pairSchema = z.object({ task_id: z.string(), parent: z.number(), child: z.number() });

/** What a replay showed of one changed entity. */
export const replaySchema = z.object({
  kind: z.enum(['role', 'tradeoff']),
  id: z.string(),
  name: z.string(),
  parent_id: z.string(),
  /** How many tasks were held out for it. */
  held_out: z.number(),
  pairs: z.array(pairSchema),
  /** Tasks of which one of the two gave nothing that could be scored, with the reason. */
  unusable: z.array(z.object({ task_id: z.string(), reason: z.string() })),
  /** The mean of the differences, and where it lies in 95 of 100 resamples. */
  gain: z.nullable(z.number()),
  interval: z.nullable(z.tuple([z.number(), z.number()])),
  adopted: z.boolean(),
  reason: z.string(),
});
export type ReplayPair = z.infer<typeof pairSchema>;
export type ReplayRecord = z.infer<typeof replaySchema>;
