import * as z from 'zod/mini';
import { planWork } from '#core/insight/plan.js';
import { operation } from '#operations/operation.js';
import { ratesOf } from './rates.js';
import { brief, ids, list } from './shapes.js';

const number = z.nullable(z.number());
const limit = z.optional(z.number().check(z.minimum(0)));
const row = z.extend(brief, { cost: number });

export const plan = operation({
  name: 'analysis.plan',
  input: z.strictObject({ budget: limit, hours: limit }),
  output: z.object({
    budget: number,
    hours: number,
    selected: list(row),
    left_out: list(row),
    total_hours: z.number(),
    total_cost: z.number(),
    remaining_hours: number,
    remaining_budget: number,
    missing_estimates: ids,
  }),
  async run(context, input) {
    const view = await (await context.graph()).view();
    return planWork(view, input, context.clock.now(), await ratesOf(context, view));
  },
});
