import * as z from 'zod/mini';
import { statsOf } from '#core/insight/stats.js';
import { operation } from '#operations/operation.js';
import { list, status } from './shapes.js';

export const stats = operation({
  name: 'analysis.stats',
  input: z.strictObject({}),
  output: z.object({
    total_tasks: z.number(),
    by_status: z.readonly(z.record(status, z.number())),
    edges: z.number(),
    cycles: z.number(),
    tags: list(z.object({ tag: z.string(), tasks: z.number() })),
    estimated_hours: z.number(),
    estimated_cost: z.number(),
    remaining_hours: z.number(),
    average_seconds: z.nullable(z.number()),
    retries: z.number(),
    spent_usd: z.number(),
    tokens: z.number(),
  }),
  async run(context) {
    return statsOf(await (await context.graph()).view());
  },
});
