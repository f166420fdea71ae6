import * as z from 'zod/mini';
import { aging } from '#core/insight/aging.js';
import { operation } from '#operations/operation.js';
import { list, nullableText, status } from './shapes.js';

const aged = z.object({
  id: z.string(),
  title: z.string(),
  status,
  assigned: nullableText,
  since: z.string(),
  age_seconds: z.number(),
});

export const showAging = operation({
  name: 'analysis.aging',
  input: z.strictObject({}),
  output: z.object({
    buckets: list(z.object({ name: z.string(), tasks: z.number() })),
    oldest: list(aged),
    stale: list(aged),
    tasks_without_timestamp: z.number(),
  }),
  async run(context) {
    return aging(await (await context.graph()).view(), context.clock.now());
  },
});
