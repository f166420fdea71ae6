import * as z from 'zod/mini';
import { changesSince } from '#core/history/archived-runs.js';
import { operation } from '#operations/operation.js';

export const metaShape = z.object({
  id: z.string(),
  timestamp: z.string(),
  model: z.nullable(z.string()),
  reset_tasks: z.readonly(z.array(z.string())),
  preserved_tasks: z.readonly(z.array(z.string())),
  filter: z.record(z.string(), z.unknown()),
});

/** All that was kept before tasks were opened again. */
export const runsList = operation({
  name: 'runs.list',
  input: z.strictObject({}),
  output: z.object({ runs: z.readonly(z.array(metaShape)) }),
  run: async (context) => ({ runs: await (await context.runSnapshots()).list() }),
});

export const runsShow = operation({
  name: 'runs.show',
  input: z.strictObject({ id: z.string() }),
  output: metaShape,
  run: async (context, input) => (await (await context.runSnapshots()).read(input.id)).meta,
});

/** What became of the tasks since then. */
export const runsDiff = operation({
  name: 'runs.diff',
  input: z.strictObject({ id: z.string() }),
  output: z.object({
    run_id: z.string(),
    changes: z.array(
      z.object({
        id: z.string(),
        snapshot_status: z.nullable(z.string()),
        current_status: z.nullable(z.string()),
        change: z.enum(['added', 'removed', 'status_changed']),
      }),
    ),
    total_changes: z.number(),
  }),
  async run(context, input) {
    const { meta, nodes } = await (await context.runSnapshots()).read(input.id);
    const changes = changesSince(nodes, await (await context.graph()).view());
    return { run_id: meta.id, changes, total_changes: changes.length };
  },
});
