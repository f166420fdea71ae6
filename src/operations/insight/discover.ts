import * as z from 'zod/mini';
import { discover } from '#core/insight/discover.js';
import { parseDuration } from '#kernel/duration.js';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';
import { ids, list, nullableText, status } from './shapes.js';

const DAY = '24h';

export const showDiscoveries = operation({
  name: 'analysis.discover',
  input: z.strictObject({ since: z.optional(z.string()) }),
  output: z.object({
    since: z.string(),
    tasks: list(
      z.object({
        id: z.string(),
        title: z.string(),
        status,
        completed_at: z.string(),
        artifacts: ids,
        note: nullableText,
      }),
    ),
    total: z.number(),
  }),
  async run(context, input) {
    const back = Math.min(parseDuration(input.since ?? DAY), LIMITS.discoverMs);
    return discover(await (await context.graph()).view(), context.clock.now() - back);
  },
});
