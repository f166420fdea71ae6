import * as z from 'zod/mini';
import { workload } from '#core/insight/workload.js';
import { operation } from '#operations/operation.js';
import { ids, list } from './shapes.js';

const load = z.object({
  in_progress: z.number(),
  ready: z.number(),
  waiting: z.number(),
  hours: z.number(),
  task_ids: ids,
});

export const showWorkload = operation({
  name: 'analysis.workload',
  input: z.strictObject({}),
  output: z.object({ people: list(z.extend(load, { name: z.string() })), unassigned: load }),
  async run(context) {
    return workload(await (await context.graph()).view(), context.clock.now());
  },
});
