import * as z from 'zod/mini';
import { forecast } from '#core/insight/forecast.js';
import { operation } from '#operations/operation.js';
import { ratesOf } from './rates.js';
import { briefs, hours, list, nullableText, status } from './shapes.js';

export const showForecast = operation({
  name: 'analysis.forecast',
  input: z.strictObject({}),
  output: z.object({
    remaining_work: z.object({
      open_tasks: z.number(),
      open_hours: z.number(),
      blocked_tasks: z.number(),
      blocked_hours: z.number(),
      in_progress_tasks: z.number(),
      in_progress_hours: z.number(),
      total_hours: z.number(),
      /** Only where an agent has a rate. */
      total_cost: z.optional(z.number()),
    }),
    scenarios: list(
      z.object({
        name: z.string(),
        buffer_percent: z.number(),
        estimated_hours: z.number(),
        estimated_cost: z.optional(z.number()),
        completion_date: nullableText,
        weeks_to_complete: z.nullable(z.number()),
      }),
    ),
    blockers: list(
      z.object({ id: z.string(), title: z.string(), status, hours_remaining: hours, tasks_blocked: z.number() }),
    ),
    critical_path: briefs,
    velocity_hours_per_week: z.number(),
    has_velocity_data: z.boolean(),
    has_estimates: z.boolean(),
  }),
  async run(context) {
    const view = await (await context.graph()).view();
    return forecast(view, context.clock.now(), await ratesOf(context, view));
  },
});
