import * as z from 'zod/mini';
import { cycleReport } from '#core/insight/cycle-report.js';
import { operation } from '#operations/operation.js';
import { ids, list, status } from './shapes.js';

export const cycles = operation({
  name: 'analysis.cycles',
  input: z.strictObject({}),
  output: z.object({
    cycle_count: z.number(),
    cycles: list(
      z.object({
        header: z.string(),
        members: ids,
        member_count: z.number(),
        reducible: z.boolean(),
        member_statuses: z.readonly(z.record(z.string(), status)),
        iteration: z.number(),
        max_iterations: z.nullable(z.number()),
        last_decision: z.string(),
      }),
    ),
    back_edges: list(z.object({ from: z.string(), to: z.string() })),
  }),
  async run(context) {
    return cycleReport(await (await context.graph()).view());
  },
});
