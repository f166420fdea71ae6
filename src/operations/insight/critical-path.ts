import * as z from 'zod/mini';
import { criticalPath } from '#core/insight/critical-path.js';
import { operation } from '#operations/operation.js';
import { brief, ids, list } from './shapes.js';

export const showCriticalPath = operation({
  name: 'analysis.critical-path',
  input: z.strictObject({}),
  output: z.object({
    critical_path: list(z.extend(brief, { after: ids })),
    task_count: z.number(),
    total_hours: z.number(),
    slack_analysis: list(z.object({ id: z.string(), title: z.string(), slack_hours: z.number(), note: z.string() })),
    cycles_skipped: z.number(),
  }),
  async run(context) {
    return criticalPath(await (await context.graph()).view());
  },
});
