import * as z from 'zod/mini';
import { bottlenecks } from '#core/insight/bottlenecks.js';
import { operation } from '#operations/operation.js';
import { list, nullableText, status } from './shapes.js';

export const showBottlenecks = operation({
  name: 'analysis.bottlenecks',
  input: z.strictObject({}),
  output: z.object({
    bottlenecks: list(
      z.object({
        id: z.string(),
        title: z.string(),
        direct_blocks: z.number(),
        transitive_before: z.number(),
        status,
        assigned: nullableText,
        recommendation: z.string(),
      }),
    ),
    total_tasks: z.number(),
  }),
  async run(context) {
    return bottlenecks(await (await context.graph()).view());
  },
});
