import * as z from 'zod/mini';
import { impactOf } from '#core/insight/impact.js';
import { operation } from '#operations/operation.js';
import { brief, briefs, ids, list } from './shapes.js';

export const showImpact = operation({
  name: 'analysis.impact',
  input: z.strictObject({ id: z.string() }),
  output: z.object({
    task: brief,
    direct_dependents: briefs,
    transitive_dependents: briefs,
    dependency_chains: list(ids),
    impact_summary: z.object({ total_tasks_affected: z.number(), total_hours_at_risk: z.number() }),
  }),
  async run(context, input) {
    return impactOf(await (await context.graph()).view(), input.id);
  },
});
