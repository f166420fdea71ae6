import * as z from 'zod/mini';
import { velocity } from '#core/insight/velocity.js';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';
import { ids, list } from './shapes.js';

const WEEKS = 4;

export const showVelocity = operation({
  name: 'analysis.velocity',
  input: z.strictObject({ weeks: z.optional(z.int().check(z.minimum(1), z.maximum(LIMITS.velocityWeeks))) }),
  output: z.object({
    weeks: list(
      z.object({
        week_number: z.number(),
        tasks_completed: z.number(),
        hours_completed: z.number(),
        task_ids: ids,
      }),
    ),
    average_tasks_per_week: z.number(),
    average_hours_per_week: z.number(),
    trend: z.enum(['rising', 'steady', 'falling']),
    open_tasks: z.number(),
    open_hours: z.number(),
    weeks_to_clear: z.nullable(z.number()),
    tasks_without_timestamp: z.number(),
  }),
  async run(context, input) {
    return velocity(await (await context.graph()).view(), input.weeks ?? WEEKS, context.clock.now());
  },
});
