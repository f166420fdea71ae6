import * as z from 'zod/mini';
import { costOf } from '#core/insight/cost.js';
import { operation } from '#operations/operation.js';
import { ratesOf } from './rates.js';
import { ids } from './shapes.js';

export const showCost = operation({
  name: 'analysis.cost',
  input: z.strictObject({ id: z.string() }),
  output: z.object({
    task_id: z.string(),
    total_cost: z.number(),
    total_hours: z.number(),
    missing_estimates: ids,
  }),
  async run(context, input) {
    const view = await (await context.graph()).view();
    return costOf(view, input.id, await ratesOf(context, view));
  },
});
